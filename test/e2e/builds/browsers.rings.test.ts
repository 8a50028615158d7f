/**
 * Variants as Chromium shows them, off the address that a page would have: large, odd, with
 * and without alpha. Skipped where there is no Chromium (CHROMIUM names it, or PATH has it).
 */
import { describe, expect, inject, it } from "vitest";
import { newSpace, upload, variantOf } from "../../../scripts/harness/api.ts";
import { findBrowser, shownBy } from "../../../scripts/harness/browsers.ts";
import { pixels as decodedBySharp } from "../../support/pictures/draw.ts";
import { cutout, image, photo } from "../../../scripts/samples/pictures.ts";
import { psnr, type Bitmap } from "../../../scripts/harness/ssim.ts";
import { onGround } from "../../../scripts/samples/svg/svg.ts";
import { ofRing } from "../../support/ring.ts";

const chromium = findBrowser("chromium");
const FORMATS = ["jpeg", "png", "webp", "avif"] as const;
/** 1.9 megapixels. */
const [WIDTH, HEIGHT] = [1601, 1201];
/** Chromium brings the colour of AVIF in 4:2:0 to full resolution in its own way. */
const ALIKE_DB = { jpeg: 45, png: 45, webp: 45, avif: 38 } as const;

const onWhite = (rgba: Bitmap): Bitmap => onGround(rgba, 255);

describe.skipIf(chromium === null)("in Chromium, large variants", () => {
  it.each(ofRing(["opaque", "with alpha"], 2))("%s are shown as sharp decodes them", async (kind) => {
    const picture = await (kind === "opaque" ? photo : cutout)(WIDTH, HEIGHT);
    const space = await newSpace(inject("service"));
    const { id } = await upload(space, await image(picture).png({ compressionLevel: 1 }).toBuffer());
    const files = await Promise.all(
      FORMATS.map(async (format) => {
        const { bytes, type } = await variantOf(space, id, `w=4096&fm=${format}`);
        return { bytes: Uint8Array.from(bytes), type, format };
      }),
    );
    const shown = await shownBy("chromium", chromium ?? "", files);
    for (const [i, { bytes, format }] of files.entries()) {
      const { bitmap: pixels, error } = shown[i]!;
      expect(error, format).toBeNull();
      expect([pixels?.width, pixels?.height], format).toEqual([WIDTH, HEIGHT]);
      const wanted = { ...(await decodedBySharp(Buffer.from(bytes))), channels: 4 };
      expect(psnr(onWhite(pixels!), onWhite(wanted)), format).toBeGreaterThan(ALIKE_DB[format]);
    }
  });
});
