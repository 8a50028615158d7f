/** Webhooks in D1 (RULES 15.1). A removed one keeps its row until the sweep has removed its deliveries. */
import { and, asc, desc, eq, inArray, lt, ne, sql, type SQL } from "drizzle-orm";
import { webhooks } from "../../../../schema/tables.ts";
import { WEBHOOKS } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { Origin } from "../events/actor.ts";
import { eventStatement, HAS_CHANGED } from "../events/events.ts";
import { importedKey } from "./keys.ts";

/** A row. Its `id` is the key, not always the id that callers know (keys.ts). */
export type WebhookRow = typeof webhooks.$inferSelect;

/** The part of a webhook that a caller chooses. */
export interface WebhookChoice {
  name: string;
  url: string;
  /** Types of events; `*` stands for all. */
  events: readonly string[];
  /** Names of models; null for all. */
  models: readonly string[] | null;
}

export interface NewWebhook extends WebhookChoice {
  id: string;
  spaceId: string;
  /** Encrypted. */
  secret: string;
}

/** Returns the number of the last event of a space: a new webhook gets what comes after it. */
const lastEvent = (spaceId: string): SQL =>
  sql`coalesce((SELECT max(no) FROM events WHERE space_id = ${spaceId}), 0)`;

const hasRoom = (spaceId: string): SQL =>
  sql`(SELECT count(*) FROM webhooks WHERE space_id = ${spaceId} AND state <> 'removed') < ${WEBHOOKS.perSpaceMax}`;

const isThere = (spaceId: string, id: string): SQL =>
  sql`id IN (${id}, ${importedKey(id, spaceId)}) AND space_id = ${spaceId} AND state <> 'removed'`;

/** The origin of a change and its time. */
export interface Change {
  origin: Origin;
  now: number;
}

type Verb = "created" | "changed" | "removed";

const event = (spaceId: string, id: string, { origin, now }: Change, verb: Verb): SQL =>
  eventStatement(
    spaceId,
    origin,
    now,
    { action: `webhook.${verb}`, target: { kind: "webhook", id } },
    HAS_CHANGED,
  );

/** Inserts a webhook, unless the space has as many as it may have. @returns whether it was inserted */
export async function insertWebhook(
  db: Database,
  { id, spaceId, name, url, events, models, secret }: NewWebhook,
  made: Change,
): Promise<boolean> {
  const { now } = made;
  const [inserted = []] = await batchSql(db, [
    sql`INSERT INTO webhooks (id, space_id, name, url, events, models, state, secret, cursor, created_at, updated_at)
      SELECT ${id}, ${spaceId}, ${name}, ${url}, ${JSON.stringify(events)},
        ${models && JSON.stringify(models)}, 'enabled', ${secret}, ${lastEvent(spaceId)}, ${now}, ${now}
      WHERE ${hasRoom(spaceId)}
      RETURNING id`,
    event(spaceId, id, made, "created"),
  ]);
  return inserted.length > 0;
}

/** A webhook of an import. */
export interface ImportedRow extends WebhookChoice {
  id: string;
  spaceId: string;
  createdAt: number;
}

/**
 * Inserts a webhook without a secret, disabled, unless the space is full of them.
 * @returns `gone` if the row of one that was removed has not been swept yet
 */
export async function insertImported(
  db: Database,
  { id, spaceId, name, url, events, models, createdAt }: ImportedRow,
  made: Change,
): Promise<"imported" | "full" | "gone"> {
  const { now } = made;
  const key = importedKey(id, spaceId);
  const [inserted = [], , removed = []] = await batchSql(db, [
    sql`INSERT OR IGNORE INTO webhooks (id, space_id, name, url, events, models, state, cursor, created_at, updated_at)
      SELECT ${key}, ${spaceId}, ${name}, ${url}, ${JSON.stringify(events)},
        ${models && JSON.stringify(models)}, 'disabled', ${lastEvent(spaceId)}, ${createdAt}, ${now}
      WHERE ${hasRoom(spaceId)} RETURNING id`,
    event(spaceId, id, made, "created"),
    sql`SELECT 1 FROM webhooks WHERE id = ${key} AND state = 'removed'`,
  ]);
  if (inserted.length > 0) return "imported";
  return removed.length > 0 ? "gone" : "full";
}

/** Returns all webhooks of a space, oldest first. */
export const allWebhooks = (db: Database, spaceId: string): Promise<WebhookRow[]> =>
  db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.spaceId, spaceId), ne(webhooks.state, "removed")))
    .orderBy(asc(webhooks.id));

/** Returns at most `limit` webhooks of a space with keys below `beforeKey`, newest first. */
export async function listWebhooks(
  db: Database,
  spaceId: string,
  limit: number,
  beforeKey: string | null,
): Promise<WebhookRow[]> {
  const below = beforeKey === null ? undefined : lt(webhooks.id, beforeKey);
  return db
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.spaceId, spaceId), ne(webhooks.state, "removed"), below))
    .orderBy(desc(webhooks.id))
    .limit(limit);
}

/** Returns a webhook of a space; null if it has none of this id. */
export async function readWebhook(db: Database, spaceId: string, id: string): Promise<WebhookRow | null> {
  const isIt = and(
    inArray(webhooks.id, [id, importedKey(id, spaceId)]),
    eq(webhooks.spaceId, spaceId),
    ne(webhooks.state, "removed"),
  );
  return (await db.select().from(webhooks).where(isIt).get()) ?? null;
}

/** A change of a webhook. What is absent stays. */
export interface NewValues extends Partial<WebhookChoice> {
  isEnabled?: boolean;
  /** The new secret, encrypted. The present one signs too until `previousUntil`. */
  secret?: { sealed: string; previousUntil: number };
}

/** A column that a change sets, and the condition that it has another value. */
interface ColumnChange {
  set: SQL;
  isOther: SQL;
}

const columnChange = (column: string, value: string | null | undefined): ColumnChange[] => {
  if (value === undefined) return [];
  const name = sql.raw(column);
  return [{ set: sql`${name} = ${value}`, isOther: sql`${name} IS NOT ${value}` }];
};

const wasEnabled = sql`state = 'enabled'`;

const enabling = (spaceId: string): ColumnChange => ({
  set: sql`state = 'enabled', disabled_reason = NULL, disabled_at = NULL,
    failing_since = CASE WHEN ${wasEnabled} THEN failing_since ELSE NULL END,
    cursor = CASE WHEN ${wasEnabled} THEN cursor ELSE ${lastEvent(spaceId)} END`,
  isOther: sql`NOT ${wasEnabled}`,
});

const disabling = (now: number): ColumnChange => ({
  set: sql`state = 'disabled', disabled_reason = CASE WHEN ${wasEnabled} THEN NULL ELSE disabled_reason END,
    disabled_at = CASE WHEN ${wasEnabled} THEN ${now} ELSE disabled_at END`,
  isOther: wasEnabled,
});

const newSecret = ({ sealed, previousUntil }: NonNullable<NewValues["secret"]>): ColumnChange => ({
  set: sql`secret = ${sealed}, previous_secret = secret,
    previous_until = CASE WHEN secret IS NULL THEN NULL ELSE ${previousUntil} END`,
  isOther: sql`1`,
});

/**
 * Changes a webhook that is there and has other values. One that is enabled again gets the events from now on. Where
 * nothing changes, nothing is written.
 * @returns whether it is there
 */
export async function updateWebhook(
  db: Database,
  spaceId: string,
  id: string,
  values: NewValues,
  made: Change,
): Promise<boolean> {
  const { now } = made;
  const { name, url, events, models, isEnabled, secret } = values;
  const changes = [
    ...columnChange("name", name),
    ...columnChange("url", url),
    ...columnChange("events", events && JSON.stringify(events)),
    ...columnChange("models", models && JSON.stringify(models)),
    ...(secret === undefined ? [] : [newSecret(secret)]),
    ...(isEnabled === undefined ? [] : [isEnabled ? enabling(spaceId) : disabling(now)]),
  ];
  const there = sql`SELECT id FROM webhooks WHERE ${isThere(spaceId, id)}`;
  if (changes.length === 0) return (await db.all(there)).length > 0;
  const sets = [sql`updated_at = ${now}`, ...changes.map(({ set }) => set)];
  const isOther = sql.join(
    changes.map((change) => change.isOther),
    sql` OR `,
  );
  const [, , found = []] = await batchSql(db, [
    sql`UPDATE webhooks SET ${sql.join(sets, sql`, `)} WHERE ${isThere(spaceId, id)} AND (${isOther})`,
    event(spaceId, id, made, "changed"),
    there,
  ]);
  return found.length > 0;
}

/** Removes a webhook: nothing is sent to it any more. The sweep removes its rows. @returns whether it was there */
export async function removeWebhook(
  db: Database,
  spaceId: string,
  id: string,
  made: Change,
): Promise<boolean> {
  const [removed = []] = await batchSql(db, [
    sql`UPDATE webhooks SET state = 'removed', secret = NULL, previous_secret = NULL, updated_at = ${made.now}
      WHERE ${isThere(spaceId, id)} RETURNING id`,
    event(spaceId, id, made, "removed"),
  ]);
  return removed.length > 0;
}
