import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createProbe } from "../../../../src/image/formats/probe.ts";
import { bytes } from "../../../../scripts/samples/probe/bytes.ts";
import { gridPayload, heif, property, track, box } from "../../../../scripts/samples/probe/avif.ts";
import type { MasterFacts } from "../../../../src/image/model/facts.ts";
import { outcomeOf, probe } from "../../../../scripts/harness/probe-run.ts";
import { samples } from "../../../../scripts/samples/probe/samples.ts";
import { apng } from "../../../../scripts/samples/probe/png.ts";
import { ofRing, rounds } from "../../../support/ring.ts";

const tile = { type: "av01", properties: [property.ispe(64, 48), property.av1C()], data: bytes("AV1") };
const files: Record<string, Uint8Array> = {
  ...(await samples()),
  apng: apng([{}, {}, { width: 2 }]),
  "avif grid": heif([
    { type: "grid", properties: [property.ispe(100, 48)], data: gridPayload(1, 2, 100, 48), dimg: [2, 3] },
    tile,
    tile,
  ]),
  "avif sequence": bytes(heif([tile], { brands: ["avis", "avif"], after: box("moov", track()) })),
  svg: bytes("<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'/>"),
};
const anyFile = fc.constantFrom(...Object.keys(files)).map((name) => files[name]!);
const chunkSizes = fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 20 });

/** Returns whether the first bytes of a file are a picture that lacks nothing but its end mark, or frames after it. */
function isWhole(name: string, size: number, file: Uint8Array, facts: MasterFacts): boolean {
  // The moov box may be missing without a trace: the items before it are a whole still.
  if (name === "avif sequence") return facts.frames === 1;
  if (name.startsWith("gif")) return size === file.length - 1 || (facts.frames ?? 0) < 3;
  // EXIF comes after the picture of a WebP, and is not read.
  if (name === "webp turned") return size >= file.length - 400;
  // A trailer has one byte, EOI two, and IEND twelve.
  if (name.includes("jpeg")) return size >= file.length - 2;
  return size >= file.length - 12 && (name.includes("png") || name === "palette");
}

describe("a probe", () => {
  it("has the same result for any chunks", () => {
    fc.assert(
      fc.property(anyFile, chunkSizes, (file, sizes) => {
        expect(outcomeOf(file, sizes)).toEqual(outcomeOf(file));
      }),
      { numRuns: 300 },
    );
    for (const file of Object.values(files)) expect(outcomeOf(file, [1])).toEqual(outcomeOf(file));
  });

  it.each(ofRing(Object.entries(files), 3))("refuses %s cut at any byte", (name, file) => {
    for (let size = 0; size < file.length; size += 1) {
      const outcome = outcomeOf(file.subarray(0, size));
      if ("refused" in outcome) continue;
      expect(isWhole(name, size, file, outcome.facts), `${name}, ${size} bytes`).toBe(true);
    }
  });

  it("refuses or reads a damaged file, the same in any chunks, and throws nothing else", () => {
    const damage = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(anyFile, damage, fc.nat(), chunkSizes, (file, changes, cut, sizes) => {
        const damaged = Uint8Array.from(file);
        // Half of the changes fall into the first 256 bytes, where the tables are.
        changes.forEach(([at, value], i) => {
          damaged[at % (i % 2 ? damaged.length : Math.min(256, damaged.length))] = value;
        });
        const shown = cut % 3 === 0 ? damaged.subarray(0, cut % damaged.length) : damaged;
        expect(outcomeOf(shown, sizes)).toEqual(outcomeOf(shown));
      }),
      { numRuns: rounds(600, 3000) },
    );
  });

  it("throws only its own errors for noise after a signature", () => {
    const magic = fc.constantFrom(...Object.values(files).map((file) => file.slice(0, 24)));
    fc.assert(
      fc.property(magic, fc.uint8Array({ maxLength: 400 }), (head, noise) => {
        outcomeOf(bytes(head, noise));
      }),
      { numRuns: rounds(400, 2000) },
    );
  });

  it("accepts Node's Buffers, whose slices do not copy, and empty chunks", () => {
    const file = files["avif alpha"]!;
    const probing = createProbe();
    const chunk = Buffer.alloc(5);
    for (let at = 0; at < file.length; at += 5) {
      chunk.set(file.subarray(at, at + 5));
      probing.push(chunk.subarray(0, Math.min(5, file.length - at)));
      probing.push(new Uint8Array(0));
    }
    expect(probing.finish()).toEqual(probe(file));
  });

  it("throws the same error again after it has thrown it", () => {
    const probing = createProbe();
    const text = bytes("no image at all", new Uint8Array(20_000).fill(32));
    expect(() => probing.push(text)).toThrow("not a JPEG");
    expect(() => probing.push(files["jpeg"]!)).toThrow("not a JPEG");
    expect(() => probing.finish()).toThrow("not a JPEG");
  });

  it("recognises other files by their first bytes", () => {
    const probing = createProbe();
    expect(() => probing.push(bytes("\x1f\x8b\x08\0\0\0\0\0\0\0\0\0"))).toThrow("SVG");
  });
});
