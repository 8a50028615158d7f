/** Variants that are too large for one part, from the builder through the queue to R2, and read back by sharp. */
import sharp from "sharp";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { MULTIPART } from "../../../src/limits.ts";
import { newSpace, picture, upload, variantOf, type Space } from "../../../scripts/harness/api.ts";
import { pixels, psnr } from "../../support/pictures/draw.ts";

const WIDTH = 2560;

const grain = (width: number, height: number) => {
  const noise = { type: "gaussian" as const, mean: 128, sigma: 40 };
  return sharp({ create: { width, height, channels: 3, background: "#000", noise } });
};

let space: Space;
let master: Buffer;
beforeAll(async () => {
  space = await newSpace(inject("service"));
  master = await grain(WIDTH, 1920).webp({ quality: 95 }).toBuffer();
});

describe("a variant of several parts", () => {
  it.each([
    ["png", "", 44, 2],
    ["jpeg", "&q=100", 36, 1],
  ])("is the picture: %s", async (format, quality, leastDb, fullParts) => {
    const { id } = await upload(space, master);
    const { bytes, type } = await variantOf(space, id, `w=${WIDTH}&fm=${format}${quality}`);
    expect(type).toBe(`image/${format}`);
    expect(bytes.length).toBeGreaterThan(fullParts * MULTIPART.partBytes);
    const [mine, theirs] = [await pixels(bytes), await pixels(master)];
    expect(psnr(mine.data, theirs.data)).toBeGreaterThan(leastDb);
  });

  it("is unavailable when damage of the master is found after some parts, and the next one is built", async () => {
    const damaged = await grain(2700, 2025).png({ compressionLevel: 1 }).toBuffer();
    // A fault inside of a chunk: the upload sees faults of the others.
    const chunk = damaged.indexOf("IDAT", damaged.length * 0.8);
    damaged.fill(0xaa, chunk + 100, chunk + 1100);
    const { id } = await upload(space, damaged);
    const state = async () => (await picture(space, id, `w=${WIDTH}&fm=png`)).state;
    await expect.poll(state).not.toMatch(/queued|coalesced/);
    expect(await state()).toBe("unavailable");
    const { id: next } = await upload(space, master);
    expect((await variantOf(space, next, "w=500&fm=webp")).width).toBe(500);
  });
});
