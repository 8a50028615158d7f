/** The addresses and snippets for the parameters that are tried. */
import type { Media } from "../../client/index.ts";
import { ladderOf, shownHeight, shownSize, type Shown } from "../../client/pictures/ladder.ts";
import type { FileOptions } from "../../client/pictures/picture.ts";
import { FORMATS, NEGOTIATED_FORMATS, type NegotiatedFormat } from "../../image/formats/registry.ts";
import type { Size } from "../../image/geometry/size.ts";
import { PARAMETER_NAMES, type ParameterName } from "../../image/parameters/table.ts";

/** The texts of the parameters in an address, by name. */
export type TriedParameters = Readonly<Partial<Record<ParameterName, string>>>;

/** The narrowest width of a srcset, and the most widths that one names. */
const USEFUL_MIN_PIXELS = 236;
const SRCSET_MAX = 8;

/** Returns the address of direct delivery without any parameter. */
const bare = (media: Media): string => media.directUrl.replace(/\?.*$/, "");

/** Returns the address of the file. With the master's version, the answer is immutable. */
export function addressOf(media: Media, tried: TriedParameters): string {
  const query = new URLSearchParams();
  for (const name of PARAMETER_NAMES) if (tried[name]) query.set(name, tried[name]);
  query.set("v", String(media.masterVersion));
  // A colon needs no escape in a query, and people read these addresses.
  return `${bare(media)}?${query.toString().replaceAll("%3A", ":")}`;
}

const shownOf = (media: Media, { ar, fit }: TriedParameters): Shown => ({
  master: media,
  ratio: ar ? ar : null,
  isPadded: fit === "pad",
  isVector: false,
});

/**
 * Returns the widths of a srcset: those that the service builds and the picture fills, up to the one that its own rounds
 * up to.
 */
export function widthsOf(media: Media, ar = "", fit = ""): number[] {
  const widths = ladderOf(shownOf(media, { ar, fit }), null).map(({ w }) => w);
  const useful = widths.filter((width) => width >= USEFUL_MIN_PIXELS);
  return (useful.length > 0 ? useful : widths.slice(-1)).slice(0, SRCSET_MAX);
}

const ESCAPES: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
const attribute = (text: string): string =>
  text.replaceAll(/[&"<>]/g, (character) => ESCAPES[character] ?? "");

/** Returns the size of the file in pixels. */
function sizeOf(media: Media, tried: TriedParameters): Size {
  const { w } = tried;
  const shown = shownOf(media, tried);
  const widest = shownSize(shown).width;
  const across = Math.min(widest, w ? Number(w) : widest);
  return { width: across, height: shownHeight(shown, across) };
}

const srcset = (media: Media, tried: TriedParameters): string =>
  widthsOf(media, tried.ar, tried.fit)
    .map((width) => `${attribute(addressOf(media, { ...tried, w: String(width) }))} ${width}w`)
    .join(",\n    ");

const SIZES = "(max-width: 640px) 100vw, 800px";
/** Lazy pictures have the width that the page gives them. The rest is for browsers that do not know `auto`. */
const LAZY_SIZES = `auto, ${SIZES}`;

function imgTag(media: Media, tried: TriedParameters, indent = ""): string {
  const { width, height } = sizeOf(media, tried);
  return `<img
  loading="lazy"
  src="${attribute(addressOf(media, tried))}"
  srcset="
    ${srcset(media, tried)}
  "
  sizes="${LAZY_SIZES}"
  width="${width}"
  height="${height}"
  alt="${attribute(media.alt)}"
/>`.replaceAll(/^/gm, indent);
}

const source = (media: Media, tried: TriedParameters, format: NegotiatedFormat): string => `  <source
    type="${FORMATS[format].mime}"
    srcset="
    ${srcset(media, { ...tried, auto: "", fm: format })}
    "
    sizes="${LAZY_SIZES}"
  />`;

/** The options of the loaders for parameters. Without `format`, a loader asks for `auto=format`. */
const LOADER_OPTIONS: readonly [name: ParameterName, option: keyof FileOptions, isNumber: boolean][] = [
  ["w", "width", true],
  ["q", "quality", true],
  ["fm", "format", false],
  ["ar", "ratio", false],
  ["fit", "fit", false],
  ["bg", "background", false],
];

const loaderOptions = (tried: TriedParameters): string =>
  [
    ...LOADER_OPTIONS.flatMap(([name, option, isNumber]) => {
      const text = tried[name];
      return text ? [`${option}: ${isNumber ? text : JSON.stringify(text)}`] : [];
    }),
    `sizes: "${SIZES}"`,
    'loading: "lazy"',
  ].join(", ");

export const SNIPPETS = ["URL", "<img>", "<picture>", "Loader"] as const;
export type SnippetKind = (typeof SNIPPETS)[number];

export function snippetOf(kind: SnippetKind, media: Media, tried: TriedParameters): string {
  switch (kind) {
    case "URL":
      return addressOf(media, tried);
    case "<img>":
      return imgTag(media, tried);
    case "<picture>":
      return `<picture>
${NEGOTIATED_FORMATS.map((format) => source(media, tried, format)).join("\n")}
${imgTag(media, { ...tried, auto: "", fm: "" }, "  ")}
</picture>`;
    case "Loader":
      return `import { imgAttributes } from "silverprint/html";

// \`media\` is the media object as the API answers it.
const attributes = imgAttributes(media, { ${loaderOptions(tried)} });`;
    default:
      return kind satisfies never;
  }
}
