/** Files that every browser shows although they break their format: read as browsers do (src/image/formats/README.md). */
import { readFile } from "node:fs/promises";
import sharp, { type Sharp } from "sharp";
import { describe, expect, it } from "vitest";
import { bitmap, build } from "../../../scripts/harness/builds.ts";
import { buildAnimated, framesOf } from "../../../scripts/harness/animation-frames.ts";
import { probe } from "../../../scripts/harness/probe-run.ts";

const fixture = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../fixtures/lenient/${name}`, import.meta.url));

/** Returns the mean of each channel of a variant as PNG, and of sharp's reading of `wanted`. */
async function means(name: string, wanted: Buffer): Promise<[ours: number[], theirs: number[]]> {
  const variant = await build(await fixture(name), { format: "png", width: 16 });
  const small = sharp(wanted, { failOn: "none" }).resize(16);
  return [await meanOf(sharp(variant.bytes)), await meanOf(sharp(await small.png().toBuffer()))];
}

async function meanOf(image: Sharp): Promise<number[]> {
  const { data } = await bitmap(image, 4);
  return [0, 1, 2, 3].map((channel) => {
    const samples = data.filter((_, i) => i % 4 === channel);
    return samples.reduce((sum, value) => sum + value, 0) / samples.length;
  });
}

describe("a file that browsers show", () => {
  it.each([
    "gif_frame_over_screen.gif",
    "gif_screen_0x0.gif",
    "gif_nul_before_trailer.gif",
    "gif_nul_between.gif",
    "jpeg_same_ids.jpg",
    "jpeg_no_dht.jpg",
    "jpeg_no_eoi.jpg",
    "jpeg_bytes_between_segments.jpg",
    "png_trns_long.png",
    "png_extra_data.png",
    "png_no_iend.png",
    "png_iend_crc.png",
    "png_exif_prefix.png",
    "png_cicp_unspecified.png",
    "webp_alph_unflagged.webp",
    "webp_icc_unflagged.webp",
    "webp_zeros_in_riff.webp",
    "avif_bytes_after.avif",
    "avif_text_after.avif",
  ])("becomes the picture that libvips reads: %s", async (name) => {
    const file = await fixture(name);
    const [ours, theirs] = await means(name, file);
    ours.forEach((value, i) =>
      expect(Math.abs(value - theirs[i]!), `${name}, channel ${i}`).toBeLessThan(1.5),
    );
    const { width, height } = await sharp(file, { failOn: "none" }).metadata();
    expect(probe(file)).toMatchObject({ width, height, frames: 1 });
  });

  it("is a WebP whose RIFF chunk counts its own head, which libvips refuses", async () => {
    const file = await fixture("webp_riff_size_of_file.webp");
    const mended = Buffer.from(file);
    mended.writeUInt32LE(file.length - 8, 4);
    const [ours, theirs] = await means("webp_riff_size_of_file.webp", mended);
    ours.forEach((value, i) => expect(Math.abs(value - theirs[i]!)).toBeLessThan(1.5));
    const lossless = await sharp(await fixture("plain.jpg"))
      .ensureAlpha(0.5)
      .webp({ lossless: true })
      .toBuffer();
    const wanted = await meanOf(sharp(lossless));
    lossless.writeUInt32LE(lossless.length, 4);
    expect(await meanOf(sharp((await build(lossless, { format: "png" })).bytes))).toEqual(wanted);
  });

  it("is a GIF that ends after its last frame", async () => {
    const file = await fixture("gif_no_trailer.gif");
    const wanted = await framesOf(Buffer.concat([file, Buffer.from(";")]));
    const { bytes } = await buildAnimated(file, { format: "webp", quality: 100 });
    expect((await sharp(bytes).metadata()).pages).toBe(wanted.frames.length);
  });
});

describe("an animated PNG of one frame beside its default image", () => {
  it("becomes the frame, as browsers show it", async () => {
    const file = await fixture("apng_one_frame_beside_default.png");
    // The default image is red; the frame is the picture that most of these files show.
    const [ours, theirs] = await means("apng_one_frame_beside_default.png", await fixture("png_no_iend.png"));
    ours.forEach((value, i) => expect(Math.abs(value - theirs[i]!)).toBeLessThan(0.5));
    expect(probe(file)).toMatchObject({ frames: 1, animated: false, hidesDefault: true });
  });
});

describe("a file that was cut off in its entropy data", () => {
  it.each([
    "plain.jpg",
    "jpeg_no_eoi.jpg",
    "png_no_iend.png",
    "gif_no_trailer.gif",
    "webp_icc_unflagged.webp",
  ])("is refused at the upload: %s", async (name) => {
    const file = await fixture(name);
    for (const share of [0.5, 0.7, 0.9]) {
      const cut = file.subarray(0, Math.floor(file.length * share));
      expect(() => probe(cut), `${share}`).toThrow(/the file ends inside/);
    }
  });
});
