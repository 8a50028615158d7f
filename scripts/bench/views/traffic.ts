/** The views of a day, drawn from a seed, so that both runs have the same day. */
import { randomOf } from "../../samples/random.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Draws ranks from 0 to `count - 1`. Rank k is drawn 1 / (k + 1) times as often as rank 0 (Zipf, exponent 1). */
export function zipf(count: number, random: () => number): () => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let k = 0; k < count; k++) sums[k] = sum += 1 / (k + 1);
  return () => {
    const drawn = random() * sum;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** The Accept headers of browsers and their shares in percent: AVIF since 2024, WebP since 2020, neither. */
const ACCEPTS: readonly [accept: string, percent: number][] = [
  ["image/avif,image/webp,*/*", 94],
  ["image/webp,*/*", 4],
  ["*/*", 2],
];
export const ALL_ACCEPTS = ACCEPTS.map(([accept]) => accept);

export interface View {
  at: number;
  kind: "view";
  region: number;
  /** The rank of the picture by its number of views. */
  rank: number;
  accept: string;
}

export type Event =
  View | { at: number; kind: "upload" | "trash"; rank: number } | { at: number; kind: "sweep" };

export interface Day {
  hours: number;
  views: number;
  pictures: number;
  regions: number;
  uploads: number;
  trashings: number;
  /** Whether a picture is trashed as likely as any other, or as likely as it is viewed. */
  trashed: "evenly" | "by-views";
  /** How many spaces have the pictures, by Zipf, and on how many databases they stand. */
  spaces?: number;
  databases?: number;
  /** Whether spaces were moved until the databases were even. */
  isEvened?: boolean;
}

function acceptOf(percent: number): string {
  let sum = 0;
  for (const [accept, share] of ACCEPTS) if (percent < (sum += share)) return accept;
  return "*/*";
}

/**
 * Yields all events in order of time, in milliseconds from the start. An upload replaces a random picture. The visitors
 * of a trashed picture go on requesting it.
 */
export function* eventsOf(day: Day): Generator<Event> {
  const { hours, views, pictures, regions, uploads, trashings } = day;
  const random = randomOf(14);
  const draw = zipf(pictures, random);
  const others: Event[] = [];
  const lastMs = hours * HOUR_MS;
  const anyTime = () => random() * lastMs;
  const anyPicture = () => Math.floor(random() * pictures);
  const trashed = day.trashed === "evenly" ? anyPicture : draw;
  for (let i = 0; i < uploads; i++) others.push({ at: anyTime(), kind: "upload", rank: anyPicture() });
  for (let i = 0; i < trashings; i++) others.push({ at: anyTime(), kind: "trash", rank: trashed() });
  for (let at = 0; at < lastMs; at += MINUTE_MS) others.push({ at, kind: "sweep" });
  others.sort((a, b) => a.at - b.at);
  let next = 0;
  for (let i = 0; i < views; i++) {
    const at = ((i + random()) * lastMs) / views;
    for (let other = others[next]; other && other.at <= at; other = others[++next]) yield other;
    const region = Math.floor(random() * regions);
    yield { at, kind: "view", region, rank: draw(), accept: acceptOf(random() * 100) };
  }
  yield* others.slice(next);
}
