/** Masters without a placeholder, and the queue's work on them. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { expect } from "vitest";
import { PLACEHOLDER as LIMITS } from "../../../../src/limits.ts";
import { moveClock } from "../clean.ts";
import { eventually } from "../eventually.ts";
import { hangs as buildHangs, PLACEHOLDER, type PlaceholderBehaviour } from "./fake-builder.ts";
import { objectOf, queueOf, queueSql } from "../queue.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, type Media, type Space } from "../rows.ts";

/** Does not answer for as long as its test runs. */
export const hangs: PlaceholderBehaviour = buildHangs;

/** Makes a space with one master, and a clock that only tests move. */
export async function start(text = "master") {
  const space = await makeSpace();
  const media = await makeMedia(space, JPEG_FACTS, text);
  moveClock(0);
  return { space, media, queue: queueOf(space) };
}

/** Lets a time of the queue come; the time of quiet unless told otherwise. */
export async function later(space: Space, byMs: number = LIMITS.quietMs): Promise<boolean> {
  moveClock(byMs);
  return runDurableObjectAlarm(objectOf(space));
}

export interface Row {
  thumbHash: string | null;
  dominantColor: string | null;
  tries: number | null;
}

export const MADE: Row = { ...PLACEHOLDER, tries: null };
/** There will be none. */
export const NONE: Row = { thumbHash: null, dominantColor: null, tries: null };
export const bare = (tries: number): Row => ({ thumbHash: null, dominantColor: null, tries });

export const rowOf = async ({ id }: Media, version = 1): Promise<Row | null> =>
  bindings.DB.prepare(
    `SELECT thumb_hash AS thumbHash, dominant_color AS dominantColor, placeholder_tries AS tries
     FROM masters WHERE media_id = ? AND version = ?`,
  )
    .bind(id, version)
    .first<Row>();

export const untilRow = (media: Media, row: Row): Promise<void> =>
  eventually(async () => expect(await rowOf(media)).toEqual(row));

/** Waits until the queue knows of nothing left to do. */
export const untilDone = (space: Space): Promise<void> =>
  eventually(async () => expect(await queueSql(space, "SELECT * FROM idle_work")).toEqual([]));

/** Returns how long the queue waits until it looks for masters; waiting moves the clock. */
export async function untilDueMs(space: Space): Promise<number> {
  const [work] = await queueSql<{ dueAt: number }>(space, "SELECT due_at AS dueAt FROM idle_work");
  return (work?.dueAt ?? 0) - Date.now();
}

/** After a try without a result. */
export const PAUSE_MS = 30_000;

/** Waits until a try has ended without a result: the queue then pauses for longer than for quiet. */
export const untilPaused = (space: Space): Promise<void> =>
  eventually(async () => {
    const pauseMs = await untilDueMs(space);
    expect(pauseMs).toBeGreaterThan(PAUSE_MS / 2);
    expect(pauseMs).toBeLessThanOrEqual(PAUSE_MS);
  });
