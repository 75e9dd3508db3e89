// Checks the deals of a game with nothing of the service: the verifier of the page in the browser,
// written from docs/fairness.md alone, called from a terminal.
//
//   node verify.mjs commitment SEED            the commitment of a seed (hex)
//   node verify.mjs permutation SEED SIZE [ENTROPY,…]   the order of the tiles
//   node verify.mjs deal RECORD                every revealed deal of a game's record
//   node verify.mjs vectors FILE…              hold the verifier to test vectors

import { readFileSync } from "node:fs";
import { commitment, permutation, roundSeed } from "../../web/src/fairness/deal.ts";

const bytes = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const hex = (found) => Buffer.from(found).toString("hex");

async function checkVectors(path) {
  const { vectors } = JSON.parse(readFileSync(path, "utf8"));
  for (const vector of vectors) {
    const seed = await roundSeed(bytes(vector.secret), vector.round);
    const found = {
      seed: hex(seed),
      commitment: hex(await commitment(seed)),
      permutation: await permutation(seed, vector.size, vector.entropy.map(bytes)),
    };
    for (const name of Object.keys(found)) {
      if (JSON.stringify(found[name]) !== JSON.stringify(vector[name])) {
        throw new Error(`${path}: round ${vector.round}, size ${vector.size}: ${name} differs`);
      }
    }
  }
  console.log(`${path}: ${vectors.length} vectors agree`);
}

async function checkRecord(path) {
  let revealed = 0;
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [word, round, ...facts] = line.trim().split(/\s+/);
    if (word !== "deal") continue;
    const { commitment: promised, seed } = Object.fromEntries(facts.map((fact) => fact.split("=")));
    if (seed === undefined) {
      console.log(`round ${round}: not revealed yet`);
      continue;
    }
    if (hex(await commitment(bytes(seed))) !== promised) {
      throw new Error(`round ${round}: the seed is not the one that was committed to`);
    }
    revealed += 1;
    console.log(`round ${round}: the seed is the one that was committed to`);
  }
  if (revealed === 0) throw new Error("the record reveals no deal");
}

async function main([command, ...rest]) {
  switch (command) {
    case "commitment":
      return console.log(hex(await commitment(bytes(rest[0]))));
    case "permutation": {
      const entropy = (rest[2] ?? "").split(",").filter(Boolean).map(bytes);
      return console.log((await permutation(bytes(rest[0]), Number(rest[1]), entropy)).join(" "));
    }
    case "deal":
      return checkRecord(rest[0]);
    case "vectors":
      for (const path of rest) await checkVectors(path);
      return;
    default:
      throw new Error("usage: verify.mjs commitment|permutation|deal|vectors …");
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
