/** Finds backups on all databases, and answers with their lines and masters. */
import { ApiError, notFound } from "../../../errors.ts";
import { EXCHANGE_TYPE } from "../../../exchange/lines.ts";
import { masterKey } from "../../../image/model/variant.ts";
import { BACKUP, SHARDS } from "../../../limits.ts";
import { backupPlan } from "../../exchange/backups/plan.ts";
import { partKey, workOn } from "../../exchange/backups/work.ts";
import { openShard, type AppContext } from "../../http/context.ts";
import { respond } from "../../http/endpoint.ts";
import { isUlid } from "../../http/requests/ids.ts";
import { onEachShard } from "../../shards/walk.ts";
import type { Space } from "../../spaces/authorize.ts";
import {
  giveUpBackup,
  masterOfBackup,
  noteRestored,
  readBackup,
  type BackupRow,
} from "../../storage/backups/backups.ts";
import type { Database } from "../../storage/database/database.ts";
import type { By } from "../../storage/events/actor.ts";
import { wholeObject } from "../../storage/media/objects.ts";

const unavailable = (shard: number, cause: unknown): ApiError =>
  new ApiError("UNAVAILABLE", `Database ${shard} does not answer at the moment. Try again.`, {
    cause,
    headers: { "Retry-After": "1" },
  });

/** Does the same work on each database. @throws ApiError UNAVAILABLE when one does not answer */
export async function onAll<T>(c: AppContext, work: (db: Database) => Promise<T>): Promise<T[]> {
  const walked = await onEachShard(c.env, (shard) => work(openShard(c, shard)), SHARDS.patienceMs);
  return walked.map((one) => {
    if (one.ok) return one.value;
    throw unavailable(one.shard, one.error);
  });
}

export interface Found {
  db: Database;
  row: BackupRow;
}

/** Finds the backup of the path, of one space or of any. @throws ApiError NOT_FOUND */
export async function findBackup(c: AppContext, space: Space | null): Promise<Found> {
  const id = c.req.param("backupId") ?? "";
  if (!isUlid(id)) throw notFound("The backup");
  const look = async (db: Database): Promise<Found | null> => {
    const row = await readBackup(db, id, space?.id ?? null);
    return row && { db, row };
  };
  const found = space ? await look(c.get("db")) : (await onAll(c, look)).find((one) => one !== null);
  if (!found) throw notFound("The backup");
  return found;
}

/** Answers a page of the lines of a backup. @throws ApiError NOT_FOUND; CONFLICT while it is not whole */
export async function answerLines(
  c: AppContext,
  { db, row }: Found,
  part: number,
  by: By,
): Promise<Response> {
  if (row.state !== "done") {
    const then = row.state === "working" ? "Wait until its state is done." : "Take another one.";
    throw new ApiError("CONFLICT", `The backup is not whole. ${then}`);
  }
  const stored = part <= row.parts ? await wholeObject(c.env.BUCKET, partKey(row, part)) : null;
  if (!stored) throw notFound("The part of the backup");
  // Each part, so that nobody reads the rest of a backup without a line.
  await noteRestored(db, row, by);
  const headers = { "Content-Type": EXCHANGE_TYPE, "Cache-Control": "no-store" };
  return new Response(stored.body, { headers });
}

/** Answers a master that a backup names. @throws ApiError NOT_FOUND */
export async function answerMaster(c: AppContext, { db, row }: Found): Promise<Response> {
  const version = Number(/^[1-9]\d{0,14}$/.exec(c.req.param("masterVersion") ?? "")?.[0] ?? 0);
  const mediaId = c.req.param("mediaId") ?? "";
  const { spaceId } = row;
  const file = version > 0 ? await masterOfBackup(db, spaceId, mediaId, version) : null;
  const stored =
    file === null ? null : await wholeObject(c.env.BUCKET, masterKey({ spaceId, mediaId, version }, file));
  if (!stored) throw notFound("The master");
  return new Response(stored.body, {
    headers: {
      "Content-Type": "application/octet-stream",
      "Content-Length": String(stored.size),
      "Content-Disposition": "attachment",
      "Cache-Control": "no-store",
    },
  });
}

/** Gives a backup up, and answers what is left of it. @throws ApiError NOT_FOUND */
export async function answerRemoved(c: AppContext, { db, row }: Found, by: By): Promise<Response> {
  if (!(await giveUpBackup(db, row, by))) throw notFound("The backup");
  return respond(c, { id: row.id, state: "removed" });
}

/** Makes the first pages of a backup beside the answer. The sweep goes on with it. */
export function beginSoon(c: AppContext, row: BackupRow): void {
  const db = c.get("db");
  const count = c.get("queryCount");
  const goesOn = (): boolean => count.queries < BACKUP.queriesBesideMax;
  const work = async (): Promise<void> => {
    const { keep } = backupPlan(c.env.BACKUPS);
    let next: BackupRow | null = row;
    for (let page = 0; next?.state === "working" && page < BACKUP.pagesBesideMax && goesOn(); page++) {
      const tools = { db, bucket: c.env.BUCKET, now: Date.now(), keep, goesOn };
      if ((await workOn(tools, next)) !== "more") return;
      next = await readBackup(db, row.id, row.spaceId);
    }
  };
  c.executionCtx.waitUntil(
    work().catch((error: unknown) => {
      console.error(JSON.stringify({ event: "backup-failed", backup: row.id, reason: String(error) }));
    }),
  );
}
