/** Draws the demo picture, because the repository contains no photos: hills at dusk, 12 megapixels like a phone's. */
import sharp from "sharp";

const WIDTH = 4032;
const HEIGHT = 3024;
const HILLS = 5;

/** Returns one line of hills as an SVG path, lower and darker towards the viewer. */
function hill(index: number): string {
  const level = HEIGHT * (0.5 + index * 0.11);
  const points: string[] = [];
  for (let x = 0; x <= WIDTH; x += 48) {
    const wave = Math.sin(x / (310 + index * 90) + index * 2) + 0.4 * Math.sin(x / (97 + index * 13) + index);
    points.push(`${x},${Math.round(level - wave * (170 - index * 18))}`);
  }
  const light = 46 - index * 8;
  return `<polygon fill="hsl(${250 - index * 12} 35% ${light}%)" points="0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}"/>`;
}

export async function drawDemoPicture(): Promise<Blob> {
  const hills = Array.from({ length: HILLS }, (_, index) => hill(index)).join("");
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
      <stop offset="0" stop-color="#27346b"/><stop offset=".45" stop-color="#e2837a"/><stop offset=".6" stop-color="#f9d29d"/>
    </linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#sky)"/><circle cx="2750" cy="1350" r="230" fill="#fff3d6"/>${hills}</svg>`;
  // Some grain like that of a sensor, because a picture without grain is too easy for an encoder.
  const noise = { type: "gaussian" as const, mean: 128, sigma: 6 };
  const grain = await sharp({
    create: { width: WIDTH, height: HEIGHT, channels: 3, background: "#808080", noise },
  })
    .png()
    .toBuffer();
  const picture = await sharp(Buffer.from(svg))
    .composite([{ input: grain, blend: "soft-light" }])
    .jpeg({ quality: 88 })
    .toBuffer();
  return new Blob([new Uint8Array(picture)], { type: "image/jpeg" });
}
