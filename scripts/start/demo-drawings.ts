/** Draws the pictures of the demo, one of each format, because the repository contains no photos. */
import sharp, { type Sharp } from "sharp";
import { drawDemoPicture } from "./demo-picture.ts";

export interface Drawing {
  filename: string;
  alt: string;
  focalPoint?: { x: number; y: number };
  draw: () => Promise<Blob>;
}

const blob = async (bytes: Promise<Buffer>, type: string): Promise<Blob> =>
  new Blob([new Uint8Array(await bytes)], { type });

const svg = (width: number, height: number, inner: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${inner}</svg>`;
const render = (text: string): Sharp => sharp(Buffer.from(text));

const gradient = (id: string, ...stops: [offset: number, colour: string][]): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops
    .map(([offset, colour]) => `<stop offset="${offset}" stop-color="${colour}"/>`)
    .join("")}</linearGradient>`;

/** Returns the SVG path of a wave, closed at the bottom. */
function wave(size: { width: number; height: number }, level: number, swing: number, phase: number): string {
  const points: string[] = [];
  for (let x = 0; x <= size.width; x += 16) {
    const y = level + swing * Math.sin(x / (size.width / 9) + phase) + swing * 0.3 * Math.sin(x / 37 + phase);
    points.push(`${x},${y.toFixed(1)}`);
  }
  return `0,${size.height} ${points.join(" ")} ${size.width},${size.height}`;
}

function sea(): string {
  const size = { width: 1800, height: 1200 };
  const rows = Array.from({ length: 9 }, (_, row) => {
    const points = wave(size, 620 + row * 68, 10 + row * 3, row * 1.7);
    return `<polygon points="${points}" fill="hsl(${196 + row * 3} ${45 + row * 3}% ${52 - row * 4}%)"/>`;
  });
  return svg(
    size.width,
    size.height,
    `<defs>${gradient("s", [0, "#8fb6cf"], [0.5, "#f6e3c5"])}</defs><rect width="100%" height="100%" fill="url(#s)"/>
    <circle cx="1250" cy="520" r="90" fill="#fff6df"/>${rows.join("")}`,
  );
}

function dunes(): string {
  const size = { width: 1600, height: 2000 };
  const rows = Array.from({ length: 6 }, (_, row) => {
    const points = wave(size, 900 + row * 190, 90 - row * 8, row * 2.3);
    return `<polygon points="${points}" fill="hsl(${28 - row * 2} ${62 - row * 4}% ${66 - row * 8}%)"/>`;
  });
  return svg(
    size.width,
    size.height,
    `<defs>${gradient("s", [0, "#2f4e7c"], [0.45, "#f0b58a"])}</defs><rect width="100%" height="100%" fill="url(#s)"/>
    <circle cx="480" cy="640" r="110" fill="#ffe9c2"/>${rows.join("")}`,
  );
}

function leaves(): string {
  const leaf = (at: number): string => {
    // Distributes points evenly: fractional parts of multiples of powers of the plastic number.
    const [x, y, turn] = [((at * 0.7549) % 1) * 1500, ((at * 0.5698) % 1) * 1000, (at * 137) % 360];
    const colour = `hsl(${85 + ((at * 13) % 60)} ${35 + ((at * 7) % 30)}% ${30 + ((at * 11) % 30)}%)`;
    return `<g transform="translate(${x} ${y}) rotate(${turn})"><path d="M0-130C80-70 80 70 0 130C-80 70-80-70 0-130Z" fill="${colour}"/>
      <path d="M0-120V120" stroke="#fff5" stroke-width="5"/></g>`;
  };
  const all = Array.from({ length: 60 }, (_, at) => leaf(at)).join("");
  return svg(1500, 1000, `<rect width="100%" height="100%" fill="#172a1c"/>${all}`);
}

const mark = svg(
  640,
  640,
  `<circle cx="320" cy="320" r="300" fill="#a33b14"/><circle cx="320" cy="320" r="210" fill="#fff" fill-opacity=".35"/>
  <path d="M120 430 270 230l90 120 60-75 110 155Z" fill="#fff"/><circle cx="430" cy="210" r="42" fill="#ffd9a0"/>`,
);

const plan = svg(
  1200,
  800,
  `<rect width="1200" height="800" fill="#f6f4ef"/><g fill="none" stroke="#1c1a17" stroke-width="10">
  <path d="M150 150H1050V650H150Z"/><path d="M520 150V420M520 520V650M150 420H380M780 150V330"/></g>
  <g font-family="sans-serif" font-size="44" fill="#57524a"><text x="230" y="300">Studio</text>
  <text x="230" y="560">Archive</text><text x="600" y="420">Darkroom</text><text x="850" y="260">Shop</text></g>
  <circle cx="930" cy="560" r="26" fill="#a33b14"/>`,
);

const FRAMES = 12;
const FRAME = { width: 360, height: 270 };

/** Returns the frames of a ball that falls into a dish and bounces back. */
const frames = (): Promise<Buffer[]> =>
  Promise.all(
    Array.from({ length: FRAMES }, (_, at) => {
      const height = Math.abs(Math.cos((at / FRAMES) * Math.PI));
      const [y, flat] = [205 - height * 150, 1 - height];
      return render(
        svg(
          FRAME.width,
          FRAME.height,
          `<rect width="100%" height="100%" fill="#231c28"/><ellipse cx="180" cy="238" rx="${60 + flat * 40}" ry="9" fill="#0006"/>
          <ellipse cx="180" cy="${y}" rx="${34 + flat * 6}" ry="${34 - flat * 6}" fill="#ff9f70"/>`,
        ),
      )
        .png()
        .toBuffer();
    }),
  );
const animation = async (): Promise<Sharp> => sharp(await frames(), { join: { animated: true } });
const DELAY_MS = new Array<number>(FRAMES).fill(70);

export const DRAWINGS: readonly Drawing[] = [
  {
    filename: "hills-at-dusk.jpg",
    alt: "Five ranges of hills under an evening sky, the sun above the third",
    focalPoint: { x: 0.68, y: 0.45 },
    draw: drawDemoPicture,
  },
  {
    filename: "morning-sea.avif",
    alt: "A calm sea in the morning, with the sun low over the water",
    focalPoint: { x: 0.69, y: 0.43 },
    draw: () => blob(render(sea()).removeAlpha().avif({ quality: 60, effort: 2 }).toBuffer(), "image/avif"),
  },
  {
    filename: "dunes.webp",
    alt: "Dunes one behind the other, and a pale sun",
    draw: () => blob(render(dunes()).removeAlpha().webp({ quality: 85 }).toBuffer(), "image/webp"),
  },
  {
    filename: "leaves.jpg",
    alt: "Leaves in many greens on dark ground",
    draw: () => blob(render(leaves()).jpeg({ quality: 88 }).toBuffer(), "image/jpeg"),
  },
  {
    filename: "mark.png",
    alt: "A round mark: a mountain and the sun",
    draw: () => blob(render(mark).png().toBuffer(), "image/png"),
  },
  {
    filename: "floor-plan.svg",
    alt: "The floor plan of the house: studio, archive, darkroom and shop",
    draw: () => Promise.resolve(new Blob([plan], { type: "image/svg+xml" })),
  },
  {
    filename: "ball.gif",
    alt: "A ball that bounces",
    draw: async () => blob((await animation()).gif({ delay: DELAY_MS, loop: 0 }).toBuffer(), "image/gif"),
  },
  {
    filename: "ball.webp",
    alt: "A ball that bounces",
    draw: async () => blob((await animation()).webp({ delay: DELAY_MS, loop: 0 }).toBuffer(), "image/webp"),
  },
];
