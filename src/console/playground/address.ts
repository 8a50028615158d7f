/** The addresses and snippets that stand for a choice of width, quality, format and ratio. */
import type { Media } from "../../client/index.ts";
import { ladderOf, shownHeight, shownSize, type Shown } from "../../client/pictures/ladder.ts";
import type { Size } from "../../image/geometry/size.ts";
import { OUTPUT_FORMATS, type OutputFormat, type Quality } from "../../image/model/variant.ts";
import type { PictureParameters } from "../../image/parameters/parameter.ts";
import { queryOf } from "../../image/parameters/write.ts";

export const FORMATS = ["auto", ...OUTPUT_FORMATS] as const;
export type Format = "auto" | OutputFormat | "";

export interface Choice {
  /** Null: the master's. */
  width: number | null;
  /** Null: the default, 80. */
  quality: Quality | null;
  /** Empty: the master's own. */
  format: Format;
  /** `W:H`; empty for no crop. */
  ratio: string;
}

const parametersOf = ({ width, quality, format, ratio }: Choice): PictureParameters => ({
  width,
  height: null,
  ratio: ratio === "" ? null : ratio,
  focalPoint: null,
  quality,
  format: format === "" || format === "auto" ? null : format,
  auto: format === "auto",
});

/** The narrowest width of a srcset, and the most widths that one names. */
const USEFUL_MIN_PIXELS = 236;
const SRCSET_MAX = 8;

/** Direct delivery without any parameter. */
const bare = (media: Media): string => media.directUrl.replace(/\?.*$/, "");

/** The address of the file. With the master's version, the answer is immutable. */
export function addressOf(media: Media, choice: Choice): string {
  const query = queryOf(parametersOf(choice));
  query.set("v", String(media.masterVersion));
  // A colon needs no escape in a query, and people read these addresses.
  return `${bare(media)}?${query.toString().replaceAll("%3A", ":")}`;
}

const shownOf = (media: Media, ratio: string): Shown => ({
  master: media,
  ratio: ratio === "" ? null : ratio,
  isVector: false,
});

/** The widths of a srcset: those that the service builds and the picture fills, up to the one that its own rounds up to. */
export function widthsOf(media: Media, ratio: string): number[] {
  const widths = ladderOf(shownOf(media, ratio), null).map(({ w }) => w);
  const useful = widths.filter((width) => width >= USEFUL_MIN_PIXELS);
  return (useful.length > 0 ? useful : widths.slice(-1)).slice(0, SRCSET_MAX);
}

const ESCAPES: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
const attribute = (text: string): string =>
  text.replaceAll(/[&"<>]/g, (character) => ESCAPES[character] ?? "");

/** The size of the file in pixels. */
function sizeOf(media: Media, { width, ratio }: Choice): Size {
  const shown = shownOf(media, ratio);
  const widest = shownSize(shown).width;
  const across = Math.min(widest, width ?? widest);
  return { width: across, height: shownHeight(shown, across) };
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
