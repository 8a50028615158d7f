/** AVIF items with more frames than a picture needs are refused, before anything decodes them. */
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { decodeGrid } from "../../../../../../src/builder/codecs/avif/grid-reader.ts";
import { checkFrames } from "../../../../../../src/builder/codecs/avif/frame-check.ts";
import { AVIF } from "../../../../../../src/limits.ts";
import { contextOf } from "../../../../../../scripts/harness/builds.ts";
import { outcomeOf, probe } from "../../../../../../scripts/harness/probe-run.ts";
import { bytes } from "../../../../../../scripts/samples/probe/bytes.ts";
import { heif, property, type HeifOptions, type Item } from "../../../../../../scripts/samples/probe/avif.ts";
import { gridItem, tile } from "../../../../../support/probes/probe-avif.ts";

/**
 * Returns a sequence header whose flag says whether it is that of a reduced still picture, behind a temporal delimiter.
 */
const sequence = (isReduced: boolean): number[] => [0x12, 0x00, 0x0a, 2, isReduced ? 0b0001_1000 : 0, 0];
/** Returns an OBU_FRAME with a first byte, and with the spatial layer in its extension. */
const frame = (first: number, layer?: number): number[] =>
  layer === undefined ? [0x32, 3, first, 7, 7] : [0x36, layer << 3, 3, first, 7, 7];
const [SHOWN, HIDDEN, REPEATED] = [0b0001_0000, 0, 0b1000_0000];

const item = (...units: (number[] | Uint8Array)[]): Item => ({
  type: "av01",
  properties: [property.ispe(64, 48), property.av1C()],
  data: bytes(...units),
});
const refusal = (items: Item[], options?: HeifOptions): string | null => {
  const outcome = outcomeOf(heif(items, options), [5]);
  return "refused" in outcome ? outcome.refused : null;
};
const two = "AVIF item 1 shows more than one frame";

describe("an AVIF item", () => {
  it("shows one frame", () => {
    expect(refusal([item(sequence(false), frame(SHOWN))])).toBeNull();
    expect(refusal([item(sequence(true), frame(0))])).toBeNull();
    expect(refusal([item(sequence(false), frame(HIDDEN), frame(REPEATED))])).toBeNull();
    expect(refusal([item(sequence(false), frame(SHOWN), frame(SHOWN))])).toBe(two);
    expect(refusal([item(sequence(true), frame(0), frame(0))])).toBe(two);
    expect(refusal([item(sequence(false), frame(SHOWN), frame(REPEATED))])).toBe(two);
    expect(refusal([item(sequence(false), ...Array<number[]>(2000).fill(frame(SHOWN)))])).toBe(two);
  });

  it("counts headers of frames like frames, and a unit without a size as the last", () => {
    const header = [0x1a, 2, SHOWN, 0];
    expect(refusal([item(sequence(false), header, [0x22, 1, 9])])).toBeNull();
    expect(refusal([item(sequence(false), header, header)])).toBe(two);
    expect(refusal([item(sequence(false), header, [0x30, SHOWN, 1, 2, 3, ...frame(SHOWN)])])).toBe(two);
    expect(refusal([item(sequence(false), [0x30, SHOWN, 1, ...frame(SHOWN)])])).toBeNull();
  });

  it("shows one frame of each of four layers, and has no more frames", () => {
    const layers = [0, 1, 2, 3].map((layer) => frame(SHOWN, layer));
    expect(refusal([item(sequence(false), ...layers)])).toBeNull();
    expect(refusal([item(sequence(false), ...layers.slice(0, 2), frame(SHOWN, 1))])).toBe(two);
    const hidden = Array<number[]>(AVIF.itemMaxFrames).fill(frame(HIDDEN));
    expect(refusal([item(sequence(false), ...hidden)])).toBeNull();
    expect(refusal([item(sequence(false), ...hidden, frame(SHOWN))])).toBe(
      "AVIF item 1 has more than 4 frames",
    );
  });

  it("is known to keep the frames beside the one that is shown, in the picture or its alpha", () => {
    const layers = [0, 1, 2].map((layer) => frame(SHOWN, layer));
    const kept = (items: Item[]) => probe(heif(items));
    const one = item(sequence(false), frame(SHOWN));
    const three = item(sequence(false), ...layers);
    expect(kept([one])).toMatchObject({ keptFrames: 0 });
    expect(kept([three])).toMatchObject({ keptFrames: 2 });
    expect(kept([{ ...three, inIdat: true }])).toMatchObject({ keptFrames: 2 });
    const alpha = { ...three, properties: [...three.properties, property.alpha()], auxl: [1] };
    expect(kept([one, alpha])).toMatchObject({ keptFrames: 2 });
  });

  it("is walked in the meta box, as alpha, and as a tile", () => {
    const good = item(sequence(false), frame(SHOWN));
    const bad = item(sequence(false), frame(SHOWN), frame(SHOWN));
    expect(refusal([{ ...good, inIdat: true }])).toBeNull();
    expect(refusal([{ ...bad, inIdat: true }])).toBe(two);
    const alpha = { ...bad, properties: [...bad.properties, property.alpha()], auxl: [1] };
    expect(refusal([good, alpha])).toBe("AVIF item 2 shows more than one frame");
    const tiles = Array.from({ length: 6 }, () => tile);
    expect(refusal([gridItem(), ...tiles])).toBeNull();
    expect(refusal([gridItem(), ...tiles.with(4, { ...tile, data: bad.data })])).toBe(
      "AVIF item 6 shows more than one frame",
    );
    // An item that is no part of the picture, such as a thumbnail, is never decoded.
    expect(refusal([good, bad])).toBeNull();
  });

  it("has a bounded number of units", () => {
    const padding = (count: number): Uint8Array =>
      Uint8Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? 0x7a : 0));
    const most = AVIF.unitsMax - 3;
    expect(refusal([item(sequence(false), frame(SHOWN), padding(most))])).toBeNull();
    expect(refusal([item(sequence(false), frame(SHOWN), padding(most + 1))])).toBe(
      "more than 65536 AV1 units",
    );
  });

  it("is walked by the builder where its data come before the tables", async () => {
    const bad = item(sequence(false), frame(SHOWN), frame(SHOWN));
    const before = heif([bad], { mdatFirst: true });
    expect(() => probe(before)).not.toThrow();
    expect(() => {
      checkFrames(before);
    }).toThrow(two);
    const tiles = Array.from({ length: 6 }, () => ({ ...tile, data: bad.data }));
    const grid = heif([gridItem(), ...tiles], { mdatFirst: true });
    const decoding = async () => decodeGrid(contextOf(Buffer.from(grid)), probe(grid) as never, 0);
    await expect(decoding()).rejects.toThrow("AVIF tile 2 shows more than one frame");
  });

  it("of real encoders is accepted", async () => {
    const picture = sharp({ create: { width: 64, height: 64, channels: 4, background: "#8888" } });
    for (const options of [
      { effort: 0 },
      { lossless: true },
      { chromaSubsampling: "4:2:0", bitdepth: 10 as const },
    ]) {
      const file = await picture.clone().avif(options).toBuffer();
      expect(() => probe(file)).not.toThrow();
      checkFrames(file);
    }
  });
});
