import { describe, expect, it } from "vitest";
import { newMemory } from "../../../../../scripts/harness/png-rows.ts";
import { encodeSource, picture } from "../../../../../scripts/samples/webp-rows-pictures.ts";
import { repeated } from "../../../../support/repeated-rows.ts";
import { chunksOf } from "../../../../support/pictures/webp-rows-reader.ts";

describe("the first partition", () => {
  it("stays within its length's bits, as modes get fewer where there are too many", async () => {
    // The most pixels of any variant: 125,000 macroblocks, which by themselves would take 51 bits each. There are 33.
    const band = picture("gradient", 16_000, 32, "gray");
    for (let i = 0; i < band.data.length; i++) {
      const [x, y] = [i % 16_000, Math.floor(i / 16_000)];
      const angle = (x >> 3) * 5 + (y >> 3) * 3;
      band.data[i] = 128 + 100 * Math.sin((x * Math.cos(angle) + y * Math.sin(angle)) / 2);
    }
    const file = await encodeSource(repeated(band, 2000), 80, newMemory(4096));
    const frame = chunksOf(file).get("VP8 ") as Buffer;
    expect(frame.readUIntLE(0, 3) >> 5).toBeGreaterThan(300_000);
    expect(frame.readUIntLE(0, 3) >> 5).toBeLessThan(524_288);
  });
});
