/**
 * Numbers, sizes and times as people read them. Written out, because the first formatter of `Intl` in a tab costs a
 * phone 50 milliseconds, and every page needs one.
 */
import { FORMATS, formatOfMime } from "../../image/formats/registry.ts";
import { MEGABYTE_BYTES } from "../../limits.ts";

const KILOBYTE_BYTES = 1024;
const SECOND_MS = 1000;
const NOON_HOURS = 12;

const THOUSANDS = /\B(?=(\d{3})+$)/g;

/** Writes a number: "12,345". */
export function count(value: number): string {
  const [whole = "", fraction] = String(value).split(".");
  const grouped = whole.replace(THOUSANDS, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Writes a number with one digit of its fraction at most: "34.5". */
const short = (value: number): string => count(Math.round(value * 10) / 10);

/** Writes a number of things: "1 picture", "3 pictures". */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** The largest number of a unit before the next one is used: "1 MB" is shorter than "1,023.9 KB". */
const UNIT_MAX = 1000;
const UNITS = [
  ["KB", KILOBYTE_BYTES],
  ["MB", MEGABYTE_BYTES],
  ["GB", MEGABYTE_BYTES * KILOBYTE_BYTES],
] as const;

/** Writes a size: "812 bytes", "34.5 KB", "1.2 MB"; a KB is 1024 bytes. */
export function bytes(value: number): string {
  if (value < UNIT_MAX) return counted(value, "byte");
  const [name, size] = UNITS.find(([, unit]) => value < unit * UNIT_MAX) ?? UNITS[2];
  return `${short(value / size)} ${name}`;
}

/** Returns a share as per cent: "4 %", "0.3 %". */
export const percent = (share: number): string =>
  `${share !== 0 && share < 0.01 ? short(share * 100) : count(Math.round(share * 100))} %`;

const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;
type Unit = (typeof STEPS)[number][0];

/** One of a unit, before and after now, where there is a word for it. */
const NEIGHBOURS: Partial<Record<Unit, readonly [before: string, after: string]>> = {
  year: ["last year", "next year"],
  month: ["last month", "next month"],
  day: ["yesterday", "tomorrow"],
};

/** @param units less than zero before now */
function distance(units: number, unit: Unit): string {
  const [before, after] = NEIGHBOURS[unit] ?? [];
  if (units === -1 && before !== undefined) return before;
  if (units === 1 && after !== undefined) return after;
  const size = counted(Math.abs(units), unit);
  return units < 0 ? `${size} ago` : `in ${size}`;
}

/** Writes a distance in time: "3 minutes ago", "in 2 days"; below a minute "now". */
export function ago(time: string, now = Date.now()): string {
  const seconds = (Date.parse(time) - now) / SECOND_MS;
  for (const [unit, length] of STEPS) {
    const units = seconds / length;
    // A past time counts whole units. A future one is rounded: 30 days read so for their first half day, too.
    if (Math.abs(units) >= 1) return distance(units < 0 ? Math.trunc(units) : Math.round(units), unit);
  }
  return "now";
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;
const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** Writes a day, in the reader's time zone: "Nov 22, 2026". */
export function day(time: string): string {
  const date = new Date(time);
  return `${MONTHS[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}`;
}

/** Writes a day and a time, in the reader's time zone: "Nov 22, 2026, 9:41 PM". */
export function dateTime(time: string): string {
  const date = new Date(time);
  const hours = date.getHours();
  const half = hours < NOON_HOURS ? "AM" : "PM";
  return `${day(time)}, ${hours % NOON_HOURS || NOON_HOURS}:${twoDigits(date.getMinutes())} ${half}`;
}

const SHOWN_ID_CHARACTERS = 4;
/** Names an item without a title by the end of its id: "Untitled 8J5J". */
export const untitled = (id: string): string => `Untitled ${id.slice(-SHOWN_ID_CHARACTERS)}`;

/** Writes a MIME type as people name the format: "image/svg+xml" as "SVG". */
export function formatName(mime: string): string {
  const format = formatOfMime(mime);
  return format === null ? mime : FORMATS[format].title;
}
