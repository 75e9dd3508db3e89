// Checks the deals of a game with nothing of the service: written from docs/fairness.md alone.
//
//   node verify.mjs commitment SEED            the commitment of a seed (hex)
//   node verify.mjs permutation SEED SIZE [ENTROPY,…]   the order of the tiles
//   node verify.mjs deal RECORD                every revealed deal of a game's record
//   node verify.mjs vectors FILE…              hold this program to test vectors

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const hmac = (key, message) => createHmac("sha256", key).update(message).digest();

export const commitment = (seed) => createHash("sha256").update(seed).digest();

export const roundSeed = (secret, round) => hmac(secret, `mextrain round ${round}`);

function streamKey(seed, entropy) {
  if (entropy.length === 0) return seed;
  const parts = [Buffer.from("mextrain entropy ")];
  for (const part of entropy) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(part.length);
    parts.push(length, part);
  }
  return hmac(seed, Buffer.concat(parts));
}

function* stream(key) {
  for (let counter = 0; ; counter += 1) {
    const index = Buffer.alloc(4);
    index.writeUInt32BE(counter);
    const block = hmac(key, index);
    for (let at = 0; at < 32; at += 2) yield block.readUInt16BE(at);
  }
}

export function permutation(seed, size, entropy = []) {
  const numbers = stream(streamKey(seed, entropy));
  const order = Array.from({ length: size }, (_, tile) => tile);
  for (let last = size - 1; last > 0; last -= 1) {
    const bound = last + 1;
    const limit = 65536 - (65536 % bound);
    let number;
    do number = numbers.next().value;
    while (number >= limit);
    const other = number % bound;
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

function checkVectors(path) {
  const { vectors } = JSON.parse(readFileSync(path, "utf8"));
  for (const vector of vectors) {
    const secret = Buffer.from(vector.secret, "hex");
    const entropy = vector.entropy.map((part) => Buffer.from(part, "hex"));
    const seed = roundSeed(secret, vector.round);
    const found = {
      seed: seed.toString("hex"),
      commitment: commitment(seed).toString("hex"),
      permutation: permutation(seed, vector.size, entropy),
    };
    for (const name of Object.keys(found)) {
      if (JSON.stringify(found[name]) !== JSON.stringify(vector[name])) {
        throw new Error(`${path}: round ${vector.round}, size ${vector.size}: ${name} differs`);
      }
    }
  }
  console.log(`${path}: ${vectors.length} vectors agree`);
}

function checkRecord(path) {
  let revealed = 0;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [word, round, ...facts] = line.trim().split(/\s+/);
    if (word !== "deal") continue;
    const { commitment: promised, seed } = Object.fromEntries(facts.map((fact) => fact.split("=")));
    if (seed === undefined) {
      console.log(`round ${round}: not revealed yet`);
      continue;
    }
    if (commitment(Buffer.from(seed, "hex")).toString("hex") !== promised) {
      throw new Error(`round ${round}: the seed is not the one that was committed to`);
    }
    revealed += 1;
    console.log(`round ${round}: the seed is the one that was committed to`);
  }
  if (revealed === 0) throw new Error("the record reveals no deal");
}

function main([command, ...rest]) {
  switch (command) {
    case "commitment":
      return console.log(commitment(Buffer.from(rest[0], "hex")).toString("hex"));
    case "permutation": {
      const entropy = (rest[2] ?? "").split(",").filter(Boolean).map((part) => Buffer.from(part, "hex"));
      return console.log(permutation(Buffer.from(rest[0], "hex"), Number(rest[1]), entropy).join(" "));
    }
    case "deal":
      return checkRecord(rest[0]);
    case "vectors":
      return rest.forEach(checkVectors);
    default:
      throw new Error("usage: verify.mjs commitment|permutation|deal|vectors …");
  }
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
