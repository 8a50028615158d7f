/**
 * The dialects of other image services, each a table that translates into the parameters of a remote picture (RULES 13.7).
 * Pure. What a table does not name is ignored.
 */
import type { PictureParameters } from "../../../image/parameters/parameter.ts";
import { parsePictureParameters } from "../../../image/parameters/read.ts";
import {
  background,
  density,
  type Entry,
  format,
  gravity,
  height,
  oneOf,
  quality,
  type Translated,
  width,
} from "./values.ts";

const INSIDE: Translated = { fit: "inside" };
const CROP: Translated = { fit: "crop" };
const PAD: Translated = { fit: "pad" };

interface Dialect {
  /** The options by their names. */
  table: Readonly<Record<string, Entry>>;
  /** The parameters that a request has without options. */
  always: Translated;
  /** Whether the address is percent-encoded once more, always. Else only one that begins so is. */
  isEncoded?: boolean;
  /** Splits the options of a request into names and values. */
  split: (options: string) => (readonly [name: string, value: string])[];
}

const pairs =
  (between: RegExp, sign: string) =>
  (options: string): (readonly [string, string])[] =>
    options.split(between).map((option) => {
      const at = option.indexOf(sign);
      return at < 0 ? [option, ""] : [option.slice(0, at), option.slice(at + sign.length)];
    });

/** Cloudflare's fits that leave the whole picture are one here: nothing is enlarged. */
const CLOUDFLARE_FIT = oneOf({ "scale-down": INSIDE, contain: INSIDE, cover: CROP, crop: CROP, pad: PAD });

export const DIALECTS = {
  /** Next.js `images.path`: the options are the query. */
  next: {
    table: { w: width, q: quality },
    always: { auto: "format" },
    split: (options) => [...new URLSearchParams(options)],
  },
  /** ipx, as `@nuxt/image` writes it: `w_200,f_webp`. A question mark in the address is `%3F` there. */
  ipx: {
    isEncoded: true,
    table: {
      w: width,
      width,
      h: height,
      height,
      s: (text) => {
        const [w = "", h = w] = text.split("x");
        return { ...width(w), ...height(h) };
      },
      resize: (text) => {
        const [w = "", h = w] = text.split("x");
        return { ...width(w), ...height(h) };
      },
      f: format,
      format,
      q: quality,
      quality,
      fit: oneOf({ cover: CROP, fill: CROP, outside: CROP, contain: PAD, inside: INSIDE }),
    },
    always: {},
    split: pairs(/[,&]/, "_"),
  },
  /** Cloudflare's `/cdn-cgi/image/`: `width=200,format=auto`. */
  cloudflare: {
    table: {
      width,
      w: width,
      height,
      h: height,
      fit: CLOUDFLARE_FIT,
      quality,
      q: quality,
      format,
      f: format,
      dpr: density,
      background,
      gravity,
      g: gravity,
    },
    always: INSIDE,
    split: pairs(/,/, "="),
  },
} as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;

/** Translates the options of a request. It throws nothing. */
export function translate(name: DialectName, options: string): PictureParameters {
  const { table, always, split }: Dialect = DIALECTS[name];
  const translated: Translated = { ...always };
  for (const [option, value] of split(options)) {
    const entry = Object.hasOwn(table, option) ? table[option] : undefined;
    if (entry) Object.assign(translated, entry(value));
  }
  return parsePictureParameters(new URLSearchParams(consistent(translated)));
}

/** Leaves out what cannot stand beside the rest. */
function consistent({ fit, fp, fm, auto, ...rest }: Translated): Record<string, string> {
  const isBox = rest.w !== undefined && rest.h !== undefined;
  const kept = isBox ? fit : undefined;
  const isCropped = kept === undefined || kept === "crop";
  return {
    ...rest,
    ...(kept !== undefined && { fit: kept }),
    ...(fp !== undefined && isCropped && { fp }),
    ...(fm === undefined ? auto !== undefined && { auto } : { fm }),
  };
}

/**
 * Returns the address at the end of a path: whole, with one slash after its scheme as proxies write it, percent-encoded,
 * or relative.
 * @param rest the end of the path, and the query
 */
export function addressIn(name: DialectName, rest: string): string {
  const { isEncoded = false }: Dialect = DIALECTS[name];
  const plain = isEncoded || /^(?:https?%3a|%2f)/i.test(rest) ? decoded(rest) : rest;
  return plain.replace(/^(https?):\/(?!\/)/i, "$1://");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
