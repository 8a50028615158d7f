/** Files that claim few bytes and unfold to many: they cost no more than what was claimed. */
import { deflateSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { writeGif } from "../../../scripts/samples/animation/writers.ts";
import { svg } from "../../../scripts/samples/svg/svg.ts";
import { pngOf } from "../../support/pictures/damaged-masters.ts";
import { LyingFiles } from "../../support/pictures/lying-files.ts";
import { ofRing } from "../../support/ring.ts";

let lying: LyingFiles;
beforeAll(async () => {
  lying = await LyingFiles.in(inject("service"));
});

/**
 * Returns a lossless WebP of one colour: at every size it has the same bytes, but for the 14 bits of each side in its
 * header.
 */
async function blackWebp({ width, height }: { width: number; height: number }): Promise<Buffer> {
  const create = { width: 1, height: 1, channels: 3 as const, background: "#000" };
  const file = await sharp({ create }).webp({ lossless: true, effort: 0 }).toBuffer();
  const sidesAt = 21;
  file.writeUInt32LE(file.readUInt32LE(sidesAt) | (width - 1) | ((height - 1) << 14), sidesAt);
  return file;
}

describe("a decompression bomb", () => {
  it("costs no more than its header claims: PNG", async () => {
    // 300 MB of zeros behind a header for 64 x 64 pixels: the reader stops after the pixels (image/formats/README.md).
    const { id: more = "" } = await lying.post(
      pngOf(64, 64, deflateSync(Buffer.alloc(300_000_000), { level: 1 })),
    );
    expect(["built", "hit"]).toContain(await lying.settled(more, "w=64&fm=png"));
    await lying.expectNextIsRight("more data than pixels");
    await lying.expectNoPart(pngOf(8000, 8000, deflateSync(Buffer.alloc(1000))), "less data than pixels");
    expect(await lying.expectNoPart(pngOf(30_000, 30_000, deflateSync(Buffer.alloc(1000))), "900 MP")).toBe(
      "unavailable",
    );
  });

  it("costs no more than its header claims: GIF", async () => {
    const gif = (width: number, height: number, codes: Uint8Array, count = 1): Buffer => {
      const file = writeGif({
        width,
        height,
        palette: [0, 0, 0, 255, 255, 255],
        frames: Array.from({ length: count }, () => ({ left: 0, top: 0, width, height, indices: codes })),
      });
      return Buffer.from(file);
    };
    // Fewer pixels than claimed, and many more.
    await lying.expectNoPart(gif(6000, 6000, new Uint8Array(100)), "a GIF of 36 MP with 100 pixels");
    const { status, id = "" } = await lying.post(gif(16, 16, new Uint8Array(3_000_000)));
    if (status === 201)
      expect(["built", "hit", "unavailable"]).toContain(await lying.settled(id, "w=64&fm=png"));
    const many = gif(4, 4, new Uint8Array(16), 5000);
    const stored = await lying.post(many);
    expect(stored.status).toBe(201);
    expect(await lying.settled(stored.id!, "w=64&fm=webp")).toBe("unavailable");
  });

  it("costs no more than its header claims: WebP and JPEG", async () => {
    const size = { width: 10_000, height: 8_500 };
    const black = sharp(Buffer.alloc(size.width * size.height), {
      raw: { ...size, channels: 1 },
    }).toColourspace("b-w");
    const bombs: [string, () => Promise<Buffer>][] = [
      ["WebP", () => blackWebp(size)],
      ["JPEG", () => black.clone().jpeg().toBuffer()],
      ["progressive JPEG", () => black.clone().jpeg({ progressive: true }).toBuffer()],
    ];
    for (const [name, make] of ofRing(bombs, 3)) {
      const file = await make();
      expect(file.length).toBeLessThan(2_000_000);
      expect(await sharp(file, { limitInputPixels: false }).metadata()).toMatchObject(size);
      expect(await lying.expectNoPart(file, `85 MP of ${name}`)).toBe("unavailable");
    }
  });

  it("costs no more than its limit: svgz", async () => {
    expect((await lying.post(gzipSync(svg(`<!--${" ".repeat(200_000_000)}-->`)))).status).toBe(400);
    expect((await lying.post(gzipSync(svg("<g>".repeat(2_000_000))))).status).toBe(400);
  });
});
