import sharp, { type Sharp } from "sharp";

/** Returns a picture in which no two corners are alike, so that turns and mirrors show. */
export function picture(width = 48, height = 32, channels: 3 | 4 = 3): Sharp {
  const data = Buffer.alloc(width * height * channels);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      data[at++] = (x * 255) / width;
      data[at++] = (y * 255) / height;
      data[at++] = ((x * 7 + y * 13) % 32) * 8;
      if (channels === 4) data[at++] = 255 - (x * 200) / width;
    }
  }
  return sharp(data, { raw: { width, height, channels } });
}

/** Draws frames under each other, for animated outputs. */
export function frames(count: number, width = 24, height = 16): Sharp {
  const data = Buffer.alloc(width * height * count * 4);
  for (let i = 0; i < data.length; i += 4) {
    const frame = Math.floor(i / 4 / (width * height));
    data.set([frame * 60, (i >> 2) % 256, 128, 255], i);
  }
  return sharp(data, { raw: { width, height: height * count, channels: 4, pageHeight: height } });
}

const bufferOf = async (image: Sharp): Promise<Uint8Array> => Uint8Array.from(await image.toBuffer());

/** Returns real files of every kind as sharp writes them, small enough to be cut at every byte. */
export async function samples(): Promise<Record<string, Uint8Array>> {
  const made: Record<string, Sharp> = {
    jpeg: picture().jpeg(),
    "jpeg 4:4:4": picture().jpeg({ chromaSubsampling: "4:4:4" }),
    "jpeg progressive": picture().jpeg({ progressive: true }),
    "jpeg gray": picture().toColourspace("b-w").jpeg(),
    "jpeg cmyk": picture().toColourspace("cmyk").jpeg(),
    "jpeg turned": picture().withMetadata({ orientation: 6 }).jpeg(),
    png: picture().png(),
    "png alpha": picture(48, 32, 4).png(),
    "png interlaced": picture().png({ progressive: true }),
    "png palette": picture(48, 32, 4).png({ palette: true }),
    "png gray 16": picture().toColourspace("grey16").png(),
    "png turned": picture().withMetadata({ orientation: 5 }).png(),
    gif: picture().gif(),
    "gif animated": frames(3).gif(),
    webp: picture().webp(),
    "webp lossless": picture().webp({ lossless: true }),
    "webp lossless alpha": picture(48, 32, 4).webp({ lossless: true }),
    "webp alpha": picture(48, 32, 4).webp(),
    "webp animated": frames(3).webp(),
    "webp turned": picture().withMetadata({ orientation: 8 }).webp(),
    avif: picture().avif(),
    "avif 4:2:0": picture().avif({ chromaSubsampling: "4:2:0" }),
    "avif 10 bit": picture().avif({ bitdepth: 10 }),
    "avif alpha": picture(48, 32, 4).avif(),
    "jpeg icc": picture().withIccProfile("p3").jpeg(),
    "png icc": picture().withIccProfile("p3").png(),
    "webp icc": picture().withIccProfile("p3").webp(),
    "avif icc": picture().withIccProfile("p3").avif(),
  };
  const entries = await Promise.all(
    Object.entries(made).map(async ([name, image]) => [name, await bufferOf(image)] as const),
  );
  return Object.fromEntries(entries);
}
