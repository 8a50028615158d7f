/** Items of AVIF files for tests of the probe: a small still, and a grid of 2 × 3 tiles. */
import type { AvifFacts } from "../../../src/image/model/facts.ts";
import { bytes } from "../../../scripts/samples/probe/bytes.ts";
import {
  gridPayload,
  heif,
  property,
  type HeifOptions,
  type Item,
} from "../../../scripts/samples/probe/avif.ts";
import { probe } from "../../../scripts/harness/probe-run.ts";

export const data = bytes("AV1 data");

/** Returns a picture of 6 × 4 pixels by default. */
export const coded = (properties: Uint8Array[] = [], size: [number, number] = [6, 4]): Item => ({
  type: "av01",
  properties: [property.ispe(...size), property.av1C(), ...properties],
  data,
});

/** Returns the facts that the probe reads from a file with one such picture. */
export const still = (properties: Uint8Array[] = [], options?: HeifOptions) =>
  probe(heif([coded(properties)], options)) as AvifFacts;

export const tile = coded([], [64, 48]);

/** Returns the grid of the first six tiles behind it. */
export const gridItem = (payload = gridPayload(2, 3, 180, 90), tiles = 6): Item => ({
  type: "grid",
  properties: [property.ispe(180, 90)],
  data: payload,
  dimg: Array.from({ length: tiles }, (_, i) => i + 2),
});

/** Returns a file of a grid, its tiles and `extra`. */
export const grid = (
  options: HeifOptions & { inIdat?: boolean } = {},
  item = gridItem(),
  extra: Item[] = [],
) => {
  const tiles = item.dimg!.map(() => tile);
  return heif([{ ...item, inIdat: options.inIdat ?? false }, ...tiles, ...extra], options);
};
