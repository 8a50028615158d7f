/**
 * The entrypoint that delivers. Each webhook is worked on in an invocation of its own: the platform gives each six
 * connections, so a receiver that hangs holds none of another's.
 */
import { WorkerEntrypoint } from "cloudflare:workers";
import { WEBHOOKS } from "../../limits.ts";
import type { Env } from "../config.ts";
import { d1OfSpace } from "../shards/where.ts";
import { database } from "../storage/database/database.ts";
import type { DueWebhook } from "../storage/webhooks/deliveries.ts";
import { deliverRound, type RoundTools } from "./round.ts";
import { wake, type WebhookSenderApi } from "./wake.ts";

const log = (event: Record<string, unknown>): void => console.error(JSON.stringify(event));

/** Returns the tools of a round in this deployment. */
export async function roundTools(env: Env, spaceId: string): Promise<RoundTools> {
  return {
    db: database(await d1OfSpace(env, spaceId)),
    now: Date.now,
    random: Math.random,
    fetch: (url, init) => fetch(url, init),
    rules: { isLocal: env.LOCAL === "1" },
    cursorSecret: env.CURSOR_SECRET,
    base: env.PUBLIC_BASE_URL?.replace(/\/+$/, "") ?? "",
    log,
  };
}

/** Makes a round, and has the next one started in time if the sweep's minute were too late. */
export async function runRound(env: Env, { id, spaceId }: DueWebhook): Promise<void> {
  try {
    const { nextAt, delivered, failed } = await deliverRound(id, await roundTools(env, spaceId));
    const dueMs = nextAt === null ? Infinity : nextAt - Date.now();
    // A delivery that is due and was not taken is another round's, which has the next one started itself.
    const waitMs = delivered + failed > 0 ? dueMs : Math.max(dueMs, WEBHOOKS.busyMs);
    if (waitMs <= WEBHOOKS.wakeMaxMs) await wake(env, spaceId, waitMs);
  } catch (error) {
    // The sweep goes on with what is due.
    log({ event: "webhook-round-failed", webhookId: id, spaceId, reason: String(error) });
  }
}

export class WebhookSender extends WorkerEntrypoint<Env> implements WebhookSenderApi {
  start(webhook: DueWebhook): Promise<void> {
    this.ctx.waitUntil(runRound(this.env, webhook));
    return Promise.resolve();
  }
}
