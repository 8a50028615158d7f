/** Makes mutated files of every kind from a seed, and probes them. */
import { isDeepStrictEqual } from "node:util";
import { apng } from "../samples/probe/png.ts";
import { bytes } from "../samples/probe/bytes.ts";
import { box, gridPayload, heif, property, track } from "../samples/probe/avif.ts";
import { outcomeOf } from "../harness/probe-run.ts";
import { samples } from "../samples/probe/samples.ts";
import { integersOf } from "../samples/random.ts";

const tile = { type: "av01", properties: [property.ispe(64, 48), property.av1C()], data: bytes("AV1") };
const grid = {
  type: "grid",
  properties: [property.ispe(100, 48)],
  data: gridPayload(1, 2, 100, 48),
  dimg: [2, 3],
};
const seeds = [
  ...Object.values(await samples()),
  apng([{}, {}, { width: 2 }]),
  heif([grid, tile, tile], { wide: true }),
  heif([tile], { brands: ["avis"], after: box("moov", track(), track({ handler: "auxv" })) }),
  bytes("<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a 'b'>]><!-- c --><svg/>"),
];

const EDGES = [0, 1, 2, 0x7f, 0x80, 0xfe, 0xff];

/** Overwrites, repeats, removes and swaps ranges of bytes, mostly near the beginning, where the tables are. */
function mutated(random: (limit: number) => number): Uint8Array {
  let file: Uint8Array = Uint8Array.from(seeds[random(seeds.length)]!);
  for (let left = 1 + random(6); left > 0 && file.length > 0; left -= 1) {
    const at = random(random(2) ? file.length : Math.min(file.length, 400));
    const size = 1 + random(16);
    const kind = random(6);
    const other = seeds[random(seeds.length)]!;
    if (kind === 0) file[at] = random(256);
    else if (kind === 1) file.fill(EDGES[random(EDGES.length)]!, at, at + (1 << random(3)));
    else if (kind === 2) file = bytes(file.subarray(0, at), file.subarray(at + size));
    else if (kind === 3) file = bytes(file.subarray(0, at + size), file.subarray(at));
    else if (kind === 4) file = bytes(file.subarray(0, at), other.subarray(random(other.length)));
    else file = file.slice(0, at);
  }
  return file;
}

/**
 * Probes `count` mutated files. Each is read or refused by one of the probe's two errors, the same for chunks of any size.
 * @returns how often each outcome came
 * @throws Error with the seed of a file that has another outcome
 */
export function runProbe(seed: number, count: number): Record<string, number> {
  const tallies: Record<string, number> = {};
  for (let at = seed; at < seed + count; at += 1) {
    const random = integersOf(at);
    const file = mutated(random);
    const lengths = Array.from({ length: 8 }, () => 1 + random(300));
    try {
      const whole = outcomeOf(file);
      const parts = outcomeOf(file, lengths);
      if (!isDeepStrictEqual(whole, parts))
        throw new Error(`chunks change the answer: ${JSON.stringify([whole, parts])}`);
      const name = "facts" in whole ? `read as ${whole.facts.format}` : whole.name;
      tallies[name] = (tallies[name] ?? 0) + 1;
    } catch (error) {
      throw new Error(`seed ${at}`, { cause: error });
    }
  }
  return tallies;
}
