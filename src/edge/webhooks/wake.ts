/**
 * Wakes rounds (RULES 15.3). The outbox is the truth: a message of the queue only says in which space there may be
 * something to do, so one that is lost, late or repeated changes nothing but the time. Each minute the sweep starts what no
 * message has.
 */
import { WEBHOOKS } from "../../limits.ts";
import type { Env } from "../config.ts";
import type { WakeMessage } from "../messages.ts";
import { shardD1, type DatabaseBindings } from "../shards/bindings.ts";
import { d1OfSpace } from "../shards/where.ts";
import { database, type Database } from "../storage/database/database.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import { dueOfSpace, someDue, spaceWithWebhooks, type DueWebhook } from "../storage/webhooks/deliveries.ts";

/** The Worker's own entrypoint that delivers. Each call is an invocation of its own, with connections of its own. */
export interface WebhookSenderApi {
  /** Returns once the round has begun. */
  start(webhook: DueWebhook): Promise<void>;
}

const log = (event: Record<string, unknown>): void => console.error(JSON.stringify(event));

/** Sends a message, and says so in the log if the queue does not take it: the sweep finds the work all the same. */
export async function wake(env: Env, spaceId: string, delayMs = 0): Promise<void> {
  try {
    const delaySeconds = Math.max(0, Math.ceil(delayMs / 1000));
    await env.WEBHOOKS?.send({ spaceId } satisfies WakeMessage, { delaySeconds });
  } catch (error) {
    log({ event: "webhook-wake-failed", spaceId, reason: String(error) });
  }
}

/** Spaces by their names: the id of one with webhooks, or null for one without. */
const known = new ExpiringMap<string | null>(WEBHOOKS.knownMs, WEBHOOKS.knownMax);
const knownNone = new ExpiringMap<true>(WEBHOOKS.knownNoneMs, WEBHOOKS.knownMax);

/** Makes this isolate ask again whether a space has webhooks. */
export function forgetWebhooks(spaceName: string): void {
  known.delete(spaceName);
  knownNone.delete(spaceName);
}

/** Wakes the rounds of a space after a change, if it has webhooks. */
export async function wakeAfterChange(env: Env, db: Database, spaceName: string, now: number): Promise<void> {
  if (!env.WEBHOOKS || knownNone.get(spaceName, now)) return;
  try {
    const spaceId = known.get(spaceName, now) ?? (await spaceWithWebhooks(db, spaceName));
    if (spaceId === null) {
      knownNone.set(spaceName, true, now);
      return;
    }
    known.set(spaceName, spaceId, now);
    await wake(env, spaceId);
  } catch (error) {
    log({ event: "webhook-wake-failed", spaceName, reason: String(error) });
  }
}

const senderOf = (context: { readonly exports: unknown }): WebhookSenderApi =>
  (context.exports as { WebhookSender: WebhookSenderApi }).WebhookSender;

/** Starts rounds. One that cannot be started is left to the sweep. @returns how many were started */
export async function startRounds(
  context: { readonly exports: unknown },
  due: readonly DueWebhook[],
): Promise<number> {
  const started = await Promise.allSettled(due.map((webhook) => senderOf(context).start(webhook)));
  for (const one of started)
    if (one.status === "rejected") log({ event: "webhook-start-failed", reason: String(one.reason) });
  return started.filter(({ status }) => status === "fulfilled").length;
}

/** Returns some webhooks of a database that have something to do. */
export const dueOfShard = (env: DatabaseBindings, shard: number): Promise<DueWebhook[]> =>
  someDue(database(shardD1(env, shard)), Date.now(), WEBHOOKS.startedMax);

/**
 * Takes messages of the queue. It only starts rounds, so a slow receiver holds up no message. Spaces for which this
 * invocation has no calls left come with a later one.
 */
export async function takeWakes(
  batch: MessageBatch<WakeMessage>,
  env: Env,
  context: { readonly exports: unknown },
): Promise<void> {
  const spaces = new Map<string, Message<WakeMessage>[]>();
  for (const message of batch.messages) {
    const { spaceId } = message.body;
    spaces.set(spaceId, [...(spaces.get(spaceId) ?? []), message]);
  }
  let left: number = WEBHOOKS.startedMax;
  for (const [spaceId, messages] of spaces) {
    let isWholeStarted = false;
    try {
      if (left > 0) {
        const due = await dueOfSpace(database(await d1OfSpace(env, spaceId)), spaceId, Date.now());
        await startRounds(context, due.slice(0, left));
        isWholeStarted = due.length <= left;
        left -= due.length;
      }
    } catch (error) {
      log({ event: "webhook-wake-failed", spaceId, reason: String(error) });
    }
    for (const message of messages) {
      if (isWholeStarted) message.ack();
      else message.retry();
    }
  }
}
