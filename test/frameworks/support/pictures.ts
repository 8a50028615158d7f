/** The pictures that every app shows, and how large each is shown. */
import sharp from "sharp";
import type { Picture } from "../../../src/client/html.ts";
import { bearer, json, newSpace } from "../../../scripts/harness/api.ts";

export const PICTURES = ["landscape", "portrait", "small", "drawing"] as const;
export type MediaByName = Record<(typeof PICTURES)[number], Picture & { id: string }>;

const drawn = (width: number, height: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" ` +
  `preserveAspectRatio="none">${content}</svg>`;

const SUNSET = `<defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#27408b"/>
  <stop offset="1" stop-color="#f2a65a"/></linearGradient></defs>
  <rect width="100" height="66" fill="url(#sky)"/><circle cx="72" cy="52" r="9" fill="#fff1c1"/>
  <rect y="66" width="100" height="34" fill="#1d3a4a"/>`;
const FACE = `<rect width="100" height="100" fill="#2e6b3a"/><rect y="60" width="100" height="40" fill="#163d1e"/>
  <circle cx="30" cy="20" r="16" fill="#e8b98c"/>`;
const BOAT = `<rect width="100" height="100" fill="#b7d5e8"/><path d="M20 60h60l-12 20H32z" fill="#a33"/>
  <path d="M50 15v42H28z" fill="#fff"/>`;

const jpeg = (width: number, height: number, content: string): Promise<Buffer> =>
  sharp(Buffer.from(drawn(width, height, content)))
    .jpeg()
    .toBuffer();

const POLL_MS = 300;

/** Uploads pictures, and returns their media objects once each that can have a placeholder has one. */
export async function uploadPictures(base: string, rootToken: string): Promise<MediaByName> {
  const space = await newSpace({ base, rootToken });
  const files: Record<keyof MediaByName, [file: Uint8Array, focalPoint?: string]> = {
    landscape: [await jpeg(2000, 1333, SUNSET), "0.7,0.5"],
    portrait: [await jpeg(1200, 1600, FACE), "0.3,0.2"],
    small: [await jpeg(640, 480, BOAT)],
    drawing: [Buffer.from(drawn(300, 200, BOAT))],
  };
  const entries = PICTURES.map(async (name) => {
    const [file, focalPoint] = files[name];
    const headers = { ...bearer(space.key), ...(focalPoint && { "X-Focal-Point": focalPoint }) };
    const body = new Uint8Array(file);
    const media = await json<MediaByName["small"]>(
      await fetch(`${space.api}/media`, { method: "POST", headers, body }),
    );
    let latest = media;
    while (!latest.placeholder && name !== "drawing") {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      latest = await json(await fetch(`${space.api}/media/${media.id}`, { headers: bearer(space.key) }));
    }
    return [name, latest] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as MediaByName;
}

/** One `<img>` of a page, by its `data-name`. */
export interface Shown {
  name: string;
  picture: (typeof PICTURES)[number];
  /** Width over height of what is shown. */
  ratio: number;
  /** The width of the picture's box, in CSS pixels, in a viewport of that width. */
  boxWidth: (viewport: number) => number;
  /** Pixels of the master that there are to show; Infinity for a drawing. */
  widthMax: number;
  /** Density above which no better file is offered. */
  densityMax: number;
}

const whole = (viewport: number): number => viewport;

export const HERO: Shown = {
  ...{ name: "hero", picture: "landscape", ratio: 2000 / 1333 },
  ...{ boxWidth: whole, widthMax: 2000, densityMax: Infinity },
};
export const CARD: Shown = {
  ...{ name: "card", picture: "portrait", ratio: 16 / 9 },
  ...{ boxWidth: () => 320, widthMax: 1200, densityMax: 2 },
};
export const SMALL: Shown = {
  ...{ name: "small", picture: "small", ratio: 640 / 480 },
  ...{ boxWidth: whole, widthMax: 640, densityMax: Infinity },
};
export const DRAWING: Shown = {
  ...{ name: "drawing", picture: "drawing", ratio: 300 / 200 },
  ...{ boxWidth: () => 150, widthMax: Infinity, densityMax: 1 },
};

const GRID = [64, 128, 236, 500, 750, 1000, 1600, 2560, 4096, 6400, 8192];

/** Returns the width of the narrowest file that has a pixel for each of the screen's, or of the whole master. */
export function rightWidth(shown: Shown, viewport: number, density: number): number {
  const needed = shown.boxWidth(viewport) * Math.min(density, shown.densityMax);
  return Math.min(shown.widthMax, GRID.find((width) => width >= needed) ?? 0);
}
