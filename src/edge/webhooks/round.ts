/**
 * The story of deliveries to one webhook (RULES 15.3, 15.4). A round is one invocation: it makes deliveries of new events,
 * sends those that are due, four at a time, and ends within its time. Whatever starts rounds, and however many run at
 * once: the rows say which deliveries are due, a lease keeps two from sending the same, and a crash leaves rows that become due again.
 */
import { WEBHOOKS } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import { isGuardFailure } from "../storage/database/guard.ts";
import {
  nextDueAt,
  readSending,
  settleDelivered,
  settleFailed,
  takeDelivery,
  type SendingWebhook,
  type TakenDelivery,
} from "../storage/webhooks/deliveries.ts";
import type { Attempt } from "../storage/webhooks/rows.ts";
import { addDeliveries, nextEvents } from "../storage/webhooks/fan-out.ts";
import { attempt, nextAttemptAt, type AttemptTools } from "./attempt.ts";
import { bodyOf, deliveryOf, type Wanted } from "./messages.ts";
import { openSecret } from "./vault.ts";

export interface RoundTools extends AttemptTools {
  db: Database;
  /** Returns a number from 0 to below 1. */
  random: () => number;
  /** Decrypts the signing secrets. */
  cursorSecret: string;
  /** The beginning of absolute addresses; empty for paths. */
  base: string;
  log: (event: Record<string, unknown>) => void;
}

export interface RoundReport {
  delivered: number;
  failed: number;
  /** When a delivery is due next, which may have passed; null if none waits. */
  nextAt: number | null;
}

const REASON_GONE = "The receiver answered 410 Gone.";

/** Makes deliveries of the events that have come since. @returns whether there may be more */
async function fanOut(webhook: SendingWebhook, { db, now }: RoundTools): Promise<boolean> {
  const events = await nextEvents(db, webhook.spaceId, webhook.cursor);
  const last = events.at(-1)?.no;
  if (last === undefined) return false;
  const wanted: Wanted = {
    events: JSON.parse(webhook.events) as string[],
    models: webhook.models === null ? null : (JSON.parse(webhook.models) as string[]),
  };
  const deliveries = events.flatMap((event) => deliveryOf(event, wanted) ?? []);
  try {
    const place = { webhookId: webhook.id, spaceId: webhook.spaceId, cursor: webhook.cursor };
    await addDeliveries(db, place, deliveries, last, now());
  } catch (error) {
    // Another round was first, or the webhook was disabled.
    if (!isGuardFailure(error)) throw error;
    return false;
  }
  webhook.cursor = last;
  return events.length === WEBHOOKS.eventsPerSlice;
}

/** Makes deliveries of as many events as one round takes. @returns whether there may be more */
async function fanOutAll(webhook: SendingWebhook, tools: RoundTools): Promise<boolean> {
  for (let slice = 0; slice < WEBHOOKS.slicesPerRound; slice++)
    if (!(await fanOut(webhook, tools))) return false;
  return true;
}

/** Returns the secrets that sign now; null if none can be read. */
async function secretsOf(
  { id, secret, previousSecret, previousUntil }: SendingWebhook,
  { cursorSecret, now }: RoundTools,
): Promise<string[] | null> {
  const isPreviousValid = previousUntil !== null && previousUntil > now();
  const sealed = [secret, isPreviousValid ? previousSecret : null].filter((one) => one !== null);
  const opened = await Promise.all(sealed.map((one) => openSecret(cursorSecret, id, one)));
  const secrets = opened.filter((one) => one !== null);
  return secrets.length === 0 ? null : secrets;
}

/** Sends a delivery, and notes what came of it. @returns whether it came */
async function send(
  delivery: TakenDelivery,
  webhook: SendingWebhook,
  secrets: string[] | null,
  tools: RoundTools,
): Promise<boolean> {
  const body = bodyOf(delivery, { spaceName: webhook.spaceName, base: tools.base });
  const outgoing = { id: delivery.id, url: webhook.url, body, secrets };
  const { attempt: made, isGone } = await attempt(outgoing, tools);
  const attempts = [...(JSON.parse(delivery.attempts) as Attempt[]), made].slice(-WEBHOOKS.attemptsKept);
  const now = tools.now();
  if (made.error === null) {
    await settleDelivered(tools.db, webhook.id, delivery, attempts, now);
    return true;
  }
  const nextAt = isGone ? null : nextAttemptAt(delivery.tries, now, tools.random());
  const disabledFor = isGone ? REASON_GONE : null;
  const failed = { nextAt, disabledFor };
  const isDisabled = await settleFailed(tools.db, webhook, delivery, attempts, failed, now);
  if (isDisabled) tools.log({ event: "webhook-disabled", webhookId: webhook.id, spaceId: webhook.spaceId });
  return false;
}

/** Works on one webhook. Throws what D1 throws. */
export async function deliverRound(webhookId: string, tools: RoundTools): Promise<RoundReport> {
  const report: RoundReport = { delivered: 0, failed: 0, nextAt: null };
  const webhook = await readSending(tools.db, webhookId);
  if (!webhook) return report;
  const until = tools.now() + WEBHOOKS.roundMs;
  const isMore = await fanOutAll(webhook, tools);
  const secrets = await secretsOf(webhook, tools);
  let attempts = 0;
  const runOne = async (): Promise<void> => {
    while (attempts < WEBHOOKS.attemptsPerRound && tools.now() < until) {
      attempts += 1;
      const delivery = await takeDelivery(tools.db, webhookId, tools.now());
      if (!delivery) return;
      if (await send(delivery, webhook, secrets, tools)) report.delivered += 1;
      else report.failed += 1;
    }
  };
  const runs = await Promise.allSettled(Array.from({ length: WEBHOOKS.atOnceMax }, runOne));
  report.nextAt = isMore ? tools.now() : await nextDueAt(tools.db, webhookId);
  const broken = runs.find((run) => run.status === "rejected");
  if (broken) throw broken.reason as Error;
  return report;
}
