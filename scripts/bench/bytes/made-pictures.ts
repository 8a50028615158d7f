/** Generated pictures: kinds that photographs do not cover, and faces. They are seeded, so they are always the same. */
import sharp from "sharp";
import { image, photo } from "../../samples/pictures.ts";

export const MADE_KINDS = [
  "drawing",
  "screenshot",
  "portrait",
  "text",
  "gradient",
  "noise",
  "alpha",
] as const;
export type MadeKind = (typeof MADE_KINDS)[number];

const [WIDTH, HEIGHT] = [3200, 2400];

const svg = (body: string, ground = "#fff"): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 400 300">` +
      `<rect width="400" height="300" fill="${ground}"/>${body}</svg>`,
  );

const times = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join("");

const WORDS =
  "Light falls on silver and leaves a trace that a bath makes visible and another makes last".split(" ");
const line = (i: number, words: number): string =>
  Array.from({ length: words }, (_, word) => WORDS[(i * 7 + word * 3) % WORDS.length]).join(" ");

const drawing = svg(
  times(
    24,
    (i) =>
      `<circle cx="${20 + (i % 6) * 70}" cy="${40 + Math.floor(i / 6) * 70}" r="${10 + i}" fill="hsl(${i * 15} 80% 50%)" stroke="#123" stroke-width="1.5"/>`,
  ) +
    `<path d="M0 260 Q100 180 200 250 T400 220 V300 H0Z" fill="#2a7"/>` +
    `<path d="M30 20 L370 20 L200 120Z" fill="none" stroke="#d22" stroke-width="3"/>`,
  "#fdf6e3",
);

const screenshot = svg(
  `<rect width="80" height="300" fill="#1b2430"/><rect x="80" width="320" height="22" fill="#eef1f5"/>` +
    times(
      12,
      (i) =>
        `<rect x="6" y="${30 + i * 20}" width="68" height="14" rx="3" fill="${i === 3 ? "#2f6fed" : "#26313f"}"/><text x="12" y="${40 + i * 20}" font-size="7" fill="#dfe6ee">Item ${i + 1}</text>`,
    ) +
    times(
      16,
      (i) =>
        `<rect x="90" y="${32 + i * 16}" width="300" height="15" fill="${i % 2 ? "#fff" : "#f6f8fa"}"/><text x="94" y="${42 + i * 16}" font-size="6.5" fill="#1f2328">${line(i, 8)}</text>`,
    ),
);

const text = svg(
  times(
    34,
    (i) =>
      `<text x="12" y="${14 + i * 8.4}" font-size="${5 + (i % 3)}" fill="#111" font-family="${i % 2 ? "serif" : "sans-serif"}">${line(i, 14)}</text>`,
  ),
);

/** Draws a face: soft light on skin, fine strands of hair, eyes with hard edges, grain. */
const face = (skin: string, shade: string, hair: string): Buffer =>
  svg(
    `<defs><radialGradient id="l" cx=".4" cy=".35" r=".7"><stop offset="0" stop-color="${skin}"/><stop offset="1" stop-color="${shade}"/></radialGradient>` +
      `<filter id="b"><feGaussianBlur stdDeviation="3"/></filter></defs>` +
      `<ellipse cx="200" cy="330" rx="150" ry="80" fill="#385170"/><ellipse cx="200" cy="150" rx="80" ry="105" fill="url(#l)"/>` +
      `<g filter="url(#b)"><ellipse cx="165" cy="175" rx="22" ry="14" fill="#c0392b" opacity=".18"/><ellipse cx="240" cy="175" rx="22" ry="14" fill="#c0392b" opacity=".18"/><path d="M196 130 Q188 170 200 180" stroke="${shade}" stroke-width="5" fill="none"/></g>` +
      `<ellipse cx="170" cy="132" rx="13" ry="6" fill="#fff"/><circle cx="170" cy="132" r="5" fill="#3b2a1a"/><ellipse cx="232" cy="132" rx="13" ry="6" fill="#fff"/><circle cx="232" cy="132" r="5" fill="#3b2a1a"/>` +
      `<path d="M172 212 Q200 228 230 212" stroke="#a33a3a" stroke-width="5" fill="none"/>` +
      times(
        160,
        (i) =>
          `<path d="M${122 + i} ${70 + ((i * 37) % 30)} q${(i % 9) - 4} -40 ${(i % 13) - 6} -${40 + ((i * 17) % 40)}" stroke="${hair}" stroke-width=".7" fill="none" opacity=".8"/>`,
      ),
    "#7d8a94",
  );

async function portrait(): Promise<Buffer> {
  const half = async (of: Buffer): Promise<Buffer> =>
    sharp(of)
      .resize(WIDTH / 2, HEIGHT)
      .blur(1.2)
      .png()
      .toBuffer();
  const [left, right] = await Promise.all([
    half(face("#f3cfb4", "#b87d5e", "#5a3a1c")),
    half(face("#9a6a48", "#4a2c1a", "#14100c")),
  ]);
  const grain = await sharp({
    create: {
      width: WIDTH,
      height: HEIGHT,
      channels: 3,
      background: "#808080",
      noise: { type: "gaussian", mean: 128, sigma: 5 },
    },
  })
    .png()
    .toBuffer();
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: "#808080" } })
    .composite([
      { input: left, left: 0, top: 0 },
      { input: right, left: WIDTH / 2, top: 0 },
      { input: grain, blend: "soft-light" },
    ])
    .png()
    .toBuffer();
}

const gradient = svg(
  `<defs><linearGradient id="a" x2="1" y2="1"><stop offset="0" stop-color="#0b2a6f"/><stop offset=".5" stop-color="#e0705a"/><stop offset="1" stop-color="#fbe6b0"/></linearGradient></defs><rect width="400" height="300" fill="url(#a)"/>`,
);

/** Returns the master of a kind, as a PNG. */
export async function madePicture(kind: MadeKind): Promise<Buffer> {
  switch (kind) {
    case "drawing":
      return sharp(drawing).removeAlpha().png().toBuffer();
    case "screenshot":
      return sharp(screenshot).removeAlpha().png().toBuffer();
    case "text":
      return sharp(text).removeAlpha().png().toBuffer();
    case "gradient":
      return sharp(gradient).removeAlpha().png().toBuffer();
    case "portrait":
      return portrait();
    case "noise":
      return image(await photo(WIDTH, HEIGHT, 7))
        .png()
        .toBuffer();
    case "alpha": {
      const mask = Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><defs><filter id="b"><feGaussianBlur stdDeviation="20"/></filter></defs><ellipse cx="1600" cy="1200" rx="1300" ry="900" filter="url(#b)"/></svg>`,
      );
      const under = await image(await photo(WIDTH, HEIGHT, 9))
        .ensureAlpha()
        .png()
        .toBuffer();
      return sharp(under)
        .composite([{ input: mask, blend: "dest-in" }])
        .png()
        .toBuffer();
    }
    default:
      return kind satisfies never;
  }
}
