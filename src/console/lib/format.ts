/** Numbers, sizes and times as people read them. */
import { MEGABYTE_BYTES } from "../../limits.ts";

const KILOBYTE_BYTES = 1024;
const SECOND_MS = 1000;

/** Made when it is first used: each formatter takes milliseconds, and the first page needs one or two of them. */
function once<Format>(make: () => Format): () => Format {
  let made: Format | undefined;
  return () => (made ??= make());
}

const whole = once(() => new Intl.NumberFormat("en"));
const short = once(() => new Intl.NumberFormat("en", { maximumFractionDigits: 1 }));
const relative = once(() => new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" }));
const days = once(() => new Intl.DateTimeFormat("en", { dateStyle: "medium" }));
const moment = once(() => new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" }));

/** "12,345" */
export const count = (value: number): string => whole().format(value);

/** "1 picture", "3 pictures" */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** "812 bytes", "34.5 KB", "1.2 MB"; a KB is 1024 bytes. */
export function bytes(value: number): string {
  if (value < KILOBYTE_BYTES) return counted(value, "byte");
  if (value < MEGABYTE_BYTES) return `${short().format(value / KILOBYTE_BYTES)} KB`;
  if (value < MEGABYTE_BYTES * KILOBYTE_BYTES) return `${short().format(value / MEGABYTE_BYTES)} MB`;
  return `${short().format(value / (MEGABYTE_BYTES * KILOBYTE_BYTES))} GB`;
}

/** A share as per cent: "4 %", "0.3 %". */
export const percent = (share: number): string =>
  `${share !== 0 && share < 0.01 ? short().format(share * 100) : whole().format(Math.round(share * 100))} %`;

const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** "3 minutes ago", "in 2 days"; below a minute "now". */
export function ago(time: string, now = Date.now()): string {
  const seconds = (Date.parse(time) - now) / SECOND_MS;
  for (const [unit, length] of STEPS) {
    const units = seconds / length;
    // What is over has gone on for whole units. What is set for 30 days reads so for its first half day, too.
    if (Math.abs(units) >= 1)
      return relative().format(units < 0 ? Math.trunc(units) : Math.round(units), unit);
  }
  return "now";
}

/** "Nov 22, 2026, 9:41 PM", in the reader's time zone. */
export const dateTime = (time: string): string => moment().format(new Date(time));

/** "Nov 22, 2026", in the reader's time zone. */
export const day = (time: string): string => days().format(new Date(time));

/** "image/svg+xml" as "SVG". */
export function formatName(mime: string): string {
  const name = mime.replace(/^image\//, "").replace(/\+xml$/, "");
  return name === "webp" ? "WebP" : name.toUpperCase();
}
