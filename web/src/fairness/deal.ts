// The fair deal, written from docs/fairness.md: the commitment of a seed, and the order of the tiles
// that follows from it. Stands alone on WebCrypto, so that node runs it as it is.

type Bytes = Uint8Array<ArrayBuffer>;

const TEXT = new TextEncoder();
const NUMBERS_PER_BLOCK = 16;

/** SHA-256 of a seed: what was shown before the deal. */
export async function commitment(seed: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", seed));
}

/** The seed of a round, 1-based, from the secret of a game; or of a deal that is made again. */
export async function roundSeed(secret: Bytes, round: number): Promise<Bytes> {
  return hmac(await keyOf(secret), TEXT.encode(`mextrain round ${round}`));
}

/**
 * The order of `size` tiles: each is a number, `high · (high + 1) / 2 + low`.
 *
 * @param entropy what players added, in seat order, without those who added nothing
 */
export async function permutation(
  seed: Bytes,
  size: number,
  entropy: readonly Bytes[] = [],
): Promise<number[]> {
  const numbers = stream(await keyOf(await streamKey(seed, entropy)));
  const order = Array.from({ length: size }, (_, tile) => tile);
  for (let last = size - 1; last > 0; last -= 1) {
    const other = await below(last + 1, numbers);
    const moved = order[other] as number;
    order[other] = order[last] as number;
    order[last] = moved;
  }
  return order;
}

/** The next number of the stream that favours none of `0 … bound - 1`, as one of them. */
async function below(bound: number, numbers: AsyncIterator<number, never>): Promise<number> {
  const limit = 65536 - (65536 % bound);
  for (;;) {
    const { value } = await numbers.next();
    if (value < limit) return value % bound;
  }
}

async function* stream(key: CryptoKey): AsyncGenerator<number, never> {
  for (let counter = 0; ; counter += 1) {
    const index = new Uint8Array(4);
    new DataView(index.buffer).setUint32(0, counter);
    const block = new DataView((await hmac(key, index)).buffer);
    for (let at = 0; at < NUMBERS_PER_BLOCK; at += 1) yield block.getUint16(2 * at);
  }
}

async function streamKey(seed: Bytes, entropy: readonly Bytes[]): Promise<Bytes> {
  if (entropy.length === 0) return seed;
  const parts = [TEXT.encode("mextrain entropy ")];
  for (const part of entropy) parts.push(new Uint8Array([part.length >> 8, part.length]), part);
  return hmac(await keyOf(seed), joined(parts));
}

function joined(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function keyOf(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

async function hmac(key: CryptoKey, message: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}
