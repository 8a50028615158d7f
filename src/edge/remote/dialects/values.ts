/** Reads values of the dialects, in which nothing is refused: what cannot be read is left out (RULES 13.7). */
import { CROP, DELIVERY } from "../../../limits.ts";

/** The parameters of a remote picture, by their names in an address. */
export type Translated = Partial<
  Record<"w" | "h" | "q" | "fm" | "auto" | "dpr" | "fit" | "bg" | "fp", string>
>;

/** One entry of a dialect's table: the parameters that a value stands for. */
export type Entry = (value: string) => Translated;

function numberIn(text: string, min: number, max: number): number | null {
  const value = /^\d{1,9}(?:\.\d{1,9})?$/.test(text) ? Number(text) : 0;
  return value > 0 ? Math.min(max, Math.max(min, value)) : null;
}

function side(name: "w" | "h", text: string): Translated {
  const pixels = numberIn(text, DELIVERY.widthMinPixels, DELIVERY.widthMaxPixels);
  return pixels === null ? {} : { [name]: String(Math.ceil(pixels)) };
}

export const width: Entry = (text) => side("w", text);
export const height: Entry = (text) => side("h", text);

export const quality: Entry = (text) => {
  const value = numberIn(text, 1, 100);
  return value === null ? {} : { q: String(Math.round(value)) };
};

export const density: Entry = (text) => {
  const value = numberIn(text, 1, 4);
  return value === null ? {} : { dpr: String(Math.round(value * 100) / 100) };
};

const FORMATS: Readonly<Record<string, Translated>> = {
  auto: { auto: "format" },
  avif: { fm: "avif" },
  webp: { fm: "webp" },
  png: { fm: "png" },
  jpg: { fm: "jpeg" },
  jpeg: { fm: "jpeg" },
  "baseline-jpeg": { fm: "jpeg" },
};

export const format: Entry = (text) => FORMATS[text.toLowerCase()] ?? {};

/** Returns the entry that looks a value up. */
export const oneOf =
  (meanings: Readonly<Record<string, Translated>>): Entry =>
  (text) =>
    meanings[text.toLowerCase()] ?? {};

/** Reads six or three hexadecimal digits, with or without `#`. */
export const background: Entry = (text) => {
  const [, digits = ""] = /^(?:#|%23)?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text) ?? [];
  const long = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits;
  return long === "" ? {} : { bg: long.toLowerCase() };
};

const STEP = CROP.requestedFocalPointStepPercent;

/** Reads `XxY`, from 0 to 1, and rounds it to the nearest step. */
export const gravity: Entry = (text) => {
  const [, x, y] = /^([01](?:\.\d{1,6})?|\.\d{1,6})x([01](?:\.\d{1,6})?|\.\d{1,6})$/.exec(text) ?? [];
  if (x === undefined || y === undefined) return {};
  const stepped = (share: string): string =>
    String((Math.round((Math.min(1, Number(share)) * 100) / STEP) * STEP) / 100);
  return { fp: `${stepped(x)},${stepped(y)}` };
};
