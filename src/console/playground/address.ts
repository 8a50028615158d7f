/** The addresses and snippets that stand for a choice of width, quality, format and ratio. */
import { DELIVERY } from "../../limits.ts";
import type { Media } from "../../client/index.ts";
import { ratioOf } from "../lib/crop.ts";

export const FORMATS = ["auto", "avif", "webp", "jpeg", "png"] as const;
export type Format = (typeof FORMATS)[number] | "";

export interface Choice {
  /** Null: the master's. */
  width: number | null;
  /** Null: the default, 80. */
  quality: number | null;
  /** Empty: the master's own. */
  format: Format;
  /** `W:H`; empty for no crop. */
  ratio: string;
}

/** `?w=…`, in the order that people read; with the master's version, the answer is immutable. */
export function queryOf({ width, quality, format, ratio }: Choice, version: number | null): string {
  const asked: [name: string, value: string][] = [
    ...(width === null ? [] : ([["w", String(width)]] as [string, string][])),
    ...(quality === null ? [] : ([["q", String(quality)]] as [string, string][])),
    ...(format === ""
      ? []
      : ([format === "auto" ? ["auto", "format"] : ["fm", format]] as [string, string][])),
    ...(ratio === "" ? [] : ([["ar", ratio]] as [string, string][])),
    ...(version === null ? [] : ([["v", String(version)]] as [string, string][])),
  ];
  return asked.map(([name, value]) => `${name}=${value}`).join("&");
}

/** Direct delivery without any parameter. */
const bare = (media: Media): string => media.directUrl.replace(/\?.*$/, "");

export const addressOf = (media: Media, choice: Choice): string =>
  `${bare(media)}?${queryOf(choice, media.masterVersion)}`;

/** The widths that the service builds and the picture fills, and the picture's own. */
export function widthsOf(media: Media, ratio: string): number[] {
  const widest =
    ratio === "" ? media.width : Math.min(media.width, Math.floor(media.height * ratioOf(ratio)));
  const below = DELIVERY.widthGridPixels.filter((width) => width >= 236 && width < widest);
  const next = DELIVERY.widthGridPixels.find((width) => width >= widest);
  return [...below, ...(next === undefined ? [] : [next])].slice(0, 8);
}

const ESCAPES: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
const attribute = (text: string): string =>
  text.replaceAll(/[&"<>]/g, (character) => ESCAPES[character] ?? "");

/** Height by width of what is delivered. */
function sizeOf(media: Media, { width, ratio }: Choice): { width: number; height: number } {
  const whole = media.width / media.height;
  const shape = ratio === "" ? whole : ratioOf(ratio);
  const widest = Math.floor(Math.min(media.width, media.height * shape));
  const shown = Math.min(widest, width ?? widest);
  return { width: shown, height: Math.max(1, Math.round(shown / shape)) };
}

const srcset = (media: Media, choice: Choice): string =>
  widthsOf(media, choice.ratio)
    .map((width) => `${attribute(addressOf(media, { ...choice, width }))} ${width}w`)
    .join(",\n    ");

const SIZES = "(max-width: 640px) 100vw, 800px";

function imgTag(media: Media, choice: Choice, indent = ""): string {
  const { width, height } = sizeOf(media, choice);
  return `<img
  src="${attribute(addressOf(media, choice))}"
  srcset="
    ${srcset(media, choice)}
  "
  sizes="${SIZES}"
  width="${width}"
  height="${height}"
  alt="${attribute(media.alt)}"
  loading="lazy"
/>`.replaceAll(/^/gm, indent);
}

const source = (media: Media, choice: Choice, format: "avif" | "webp"): string => `  <source
    type="image/${format}"
    srcset="
    ${srcset(media, { ...choice, format })}
    "
    sizes="${SIZES}"
  />`;

const loaderOptions = ({ width, quality, format, ratio }: Choice): string =>
  [
    width === null ? "" : `width: ${width}`,
    quality === null ? "" : `quality: ${quality}`,
    format === "" || format === "auto" ? "" : `format: "${format}"`,
    ratio === "" ? "" : `ratio: "${ratio}"`,
    `sizes: "${SIZES}"`,
  ]
    .filter(Boolean)
    .join(", ");

export const SNIPPETS = ["URL", "<img>", "<picture>", "Loader"] as const;
export type SnippetKind = (typeof SNIPPETS)[number];

export function snippetOf(kind: SnippetKind, media: Media, choice: Choice): string {
  switch (kind) {
    case "URL":
      return addressOf(media, choice);
    case "<img>":
      return imgTag(media, choice);
    case "<picture>":
      return `<picture>
${source(media, choice, "avif")}
${source(media, choice, "webp")}
${imgTag(media, { ...choice, format: "" }, "  ")}
</picture>`;
    case "Loader":
      return `import { imgAttributes } from "silverprint/html";

// \`media\` is the media object as the API answers it.
const attributes = imgAttributes(media, { ${loaderOptions(choice)} });`;
  }
}
