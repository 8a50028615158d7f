/** The constants by which an isolate's memory is divided are sums of their parts, and each part holds what it is for. */
import { describe, expect, it } from "vitest";
import { MEMORY } from "../../../../src/image/memory/isolate.ts";
import { resamplerPeakBytes } from "../../../../src/image/memory/resampler.ts";
import { planBuild } from "../../../../src/image/plan/plan.ts";
import { QUALITIES, takesQuality } from "../../../../src/image/model/variant.ts";
import { OUTPUT_FORMATS } from "../../../../src/image/formats/registry.ts";
import { ISOLATE, MASTER_PIECES, MEGABYTE_BYTES, RESERVE } from "../../../../src/limits.ts";
import { jpegFacts, pngFacts } from "../../../../scripts/samples/facts.ts";

const sum = (parts: Record<string, number>): number =>
  Object.values(parts).reduce((all, bytes) => all + bytes, 0);

describe("the memory of an isolate", () => {
  it("is the reserve and the builds: 128 MB", () => {
    expect(ISOLATE.reserveBytes + ISOLATE.buildBytes).toBe(ISOLATE.totalBytes);
    expect(ISOLATE.totalBytes).toBe(128 * MEGABYTE_BYTES);
  });

  it("has a reserve that is the sum of its parts, a margin among them", () => {
    expect(sum(RESERVE)).toBe(ISOLATE.reserveBytes);
    expect(RESERVE.marginBytes).toBeGreaterThan(0);
  });

  it("has room for every piece of a master that may be there at once", () => {
    const { bytes, aheadMax, heldMax } = MASTER_PIECES;
    expect(RESERVE.streamsBytes).toBe((aheadMax + heldMax) * bytes);
  });

  it("is divided whole among the parts of a build", () => {
    const { arenaMaxBytes, resamplerMaxBytes, rowCodecMaxBytes, besideBytes } = MEMORY;
    expect(arenaMaxBytes + resamplerMaxBytes + rowCodecMaxBytes + besideBytes).toBe(ISOLATE.buildBytes);
  });
});

describe("the parts of a build", () => {
  it("have a resampler for the widest picture", () => {
    // It takes the most where the filter has the most taps, just before boxes are averaged.
    const widest = { width: 30_000, height: 2666, layout: "rgba" } as const;
    const bytes = resamplerPeakBytes(widest, { width: 8192, height: 728 });
    expect(bytes).toBeLessThanOrEqual(MEMORY.resamplerMaxBytes);
    expect(bytes).toBeGreaterThan(0.9 * MEMORY.resamplerMaxBytes);
  });

  it("have a row codec for every format, size and quality of the largest variants", () => {
    const most = Math.max(
      ...OUTPUT_FORMATS.flatMap((format) =>
        QUALITIES.flatMap((quality) =>
          [1000, 1600, 2560, 4096, 6400].flatMap((width) => {
            const spec = {
              width,
              height: width * 0.75,
              format,
              quality: takesQuality(format) ? quality : null,
            };
            return [jpegFacts(8000, 6000), pngFacts(8000, 6000)].map((facts) => {
              const plan = planBuild(facts, 8 * MEGABYTE_BYTES, { ...spec, animated: false });
              return plan.ok ? plan.memory.rowCodec : 0;
            });
          }),
        ),
      ),
    );
    expect(most).toBeLessThanOrEqual(MEMORY.rowCodecMaxBytes);
    expect(most).toBeGreaterThan(0.9 * MEMORY.rowCodecMaxBytes);
  });

  it("have room beside the memories for the largest file that is held whole, a WebP of 32 megapixels at q 100", () => {
    const spec = { width: 6400, height: 4800, format: "webp", quality: 100, animated: false } as const;
    const plan = planBuild(jpegFacts(8000, 6000), 8 * MEGABYTE_BYTES, spec);
    const output = plan.ok ? plan.memory.output : NaN;
    expect(output).toBeLessThanOrEqual(MEMORY.besideBytes);
    expect(output).toBeGreaterThan(0.9 * MEMORY.besideBytes);
  });
});
