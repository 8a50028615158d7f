/** Creates, changes, lists and removes webhooks (RULES 15.1), as callers see them. */
import { ulid } from "ulid";
import { ApiError, notFound } from "../../errors.ts";
import { WEBHOOKS } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import type { Origin } from "../storage/events/actor.ts";
import type { DeliveryRow } from "../storage/webhooks/deliveries.ts";
import { idOfKey } from "../storage/webhooks/keys.ts";
import type { Attempt } from "../storage/webhooks/rows.ts";
import {
  insertWebhook,
  readWebhook,
  removeWebhook,
  updateWebhook,
  type WebhookRow,
} from "../storage/webhooks/webhooks.ts";
import { ALL_EVENTS } from "./messages.ts";
import { newSigningSecret } from "./signature.ts";
import { readTarget, TARGET_RULE, type TargetRules } from "./target.ts";
import { sealSecret } from "./vault.ts";

const timeOrNull = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

export function webhookView(row: WebhookRow, now: number): Record<string, unknown> {
  const { id: key, name, url, state, disabledReason, previousUntil } = row;
  const isSignedByBoth = previousUntil !== null && previousUntil > now;
  return {
    ...{ id: idOfKey(key), name, url },
    events: JSON.parse(row.events) as string[],
    models: row.models === null ? null : (JSON.parse(row.models) as string[]),
    enabled: state === "enabled",
    disabledReason: state === "enabled" ? null : disabledReason,
    disabledAt: state === "enabled" ? null : timeOrNull(row.disabledAt),
    failingSince: timeOrNull(row.failingSince),
    hasSecret: row.secret !== null,
    previousSecretUntil: isSignedByBoth ? timeOrNull(previousUntil) : null,
    createdAt: timeOrNull(row.createdAt),
    updatedAt: timeOrNull(row.updatedAt),
  };
}

export function deliveryView(row: DeliveryRow): Record<string, unknown> {
  const attempts = (JSON.parse(row.attempts) as Attempt[]).map((one) => ({
    ...one,
    at: new Date(one.at).toISOString(),
  }));
  const { id, type, state } = row;
  return {
    ...{ id, event: type, state, attempts },
    data: JSON.parse(row.data) as unknown,
    createdAt: timeOrNull(row.at),
    nextAttemptAt: state === "pending" ? timeOrNull(row.dueAt) : null,
  };
}

/** A body, as its schema has read it. */
export interface WebhookInput {
  url?: string | undefined;
  events?: readonly string[] | undefined;
  models?: readonly string[] | null | undefined;
  name?: string | undefined;
}

/** Returns the address as it is stored. @throws ApiError VALIDATION_FAILED */
function targetOf(url: string, rules: TargetRules): string {
  const target = readTarget(url, rules);
  if (target !== null) return target;
  const details = [{ path: "url", message: TARGET_RULE }];
  throw new ApiError("VALIDATION_FAILED", "The body does not fit; see details.", { details });
}

/** Returns each type once, or `*` alone. */
const eventsOf = (events: readonly string[]): string[] =>
  events.includes(ALL_EVENTS) ? [ALL_EVENTS] : [...new Set(events)];

export interface WebhookTools {
  db: Database;
  spaceId: string;
  /** The caller who makes a change. */
  origin: Origin;
  cursorSecret: string;
  rules: TargetRules;
  now: number;
}

const present = async ({ db, spaceId }: WebhookTools, id: string): Promise<WebhookRow> => {
  const row = await readWebhook(db, spaceId, id);
  if (!row) throw notFound("The webhook");
  return row;
};

/**
 * Creates a webhook. @returns its row, and the signing secret, which cannot be read again
 * @throws ApiError VALIDATION_FAILED; CONFLICT when the space has as many as it may have
 */
export async function createWebhook(
  tools: WebhookTools,
  input: WebhookInput & { url: string; events: readonly string[] },
): Promise<{ row: WebhookRow; secret: string }> {
  const { db, spaceId, cursorSecret, rules, now } = tools;
  const id = ulid(now);
  const secret = newSigningSecret();
  const webhook = {
    ...{ id, spaceId, name: input.name ?? "", models: input.models ? [...new Set(input.models)] : null },
    url: targetOf(input.url, rules),
    events: eventsOf(input.events),
    secret: await sealSecret(cursorSecret, id, secret),
  };
  if (!(await insertWebhook(db, webhook, tools))) {
    const message = `A space has at most ${WEBHOOKS.perSpaceMax} webhooks. Remove one that is not used any more.`;
    throw new ApiError("CONFLICT", message);
  }
  return { row: await present(tools, id), secret };
}

/**
 * Changes a webhook. @returns its row, and the new secret if one was asked for
 * @throws ApiError VALIDATION_FAILED, NOT_FOUND; CONFLICT when it is to be enabled without a secret
 */
export async function changeWebhook(
  tools: WebhookTools,
  id: string,
  input: WebhookInput & { enabled?: boolean | undefined; secret?: "rotate" | undefined },
): Promise<{ row: WebhookRow; secret: string | null }> {
  const { db, spaceId, cursorSecret, rules, now } = tools;
  const before = await present(tools, id);
  const secret = input.secret === undefined ? null : newSigningSecret();
  if (input.enabled === true && before.secret === null && secret === null)
    throw new ApiError("CONFLICT", 'The webhook has no secret. Send {"secret": "rotate", "enabled": true}.');
  const change = {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.url !== undefined && { url: targetOf(input.url, rules) }),
    ...(input.events !== undefined && { events: eventsOf(input.events) }),
    ...(input.models !== undefined && { models: input.models && [...new Set(input.models)] }),
    ...(input.enabled !== undefined && { isEnabled: input.enabled }),
    ...(secret !== null && {
      secret: {
        sealed: await sealSecret(cursorSecret, before.id, secret),
        previousUntil: now + WEBHOOKS.previousSecretMs,
      },
    }),
  };
  await updateWebhook(db, spaceId, id, change, tools);
  return { row: await present(tools, id), secret };
}

/** @throws ApiError NOT_FOUND */
export async function deleteWebhook(tools: WebhookTools, id: string): Promise<void> {
  if (!(await removeWebhook(tools.db, tools.spaceId, id, tools))) throw notFound("The webhook");
}

/** Returns a webhook that sends. @throws ApiError NOT_FOUND; CONFLICT when it is disabled */
export async function enabledWebhook(tools: WebhookTools, id: string): Promise<WebhookRow> {
  const row = await present(tools, id);
  if (row.state === "enabled") return row;
  throw new ApiError("CONFLICT", 'The webhook is disabled. Send PATCH {"enabled": true} first.');
}

export { present as presentWebhook };
