/** Webhooks in tests: made by the API, delivered by rounds of which the test has the receiver and the clock. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import { WEBHOOKS } from "../../../src/limits.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { deliverRound, type RoundReport, type RoundTools } from "../../../src/edge/webhooks/round.ts";
import type { Client } from "../support/api.ts";
import { inOneInvocation } from "../support/bindings/deployed-d1.ts";
import { bindings } from "../support/rows.ts";

export interface Made {
  id: string;
  secret: string;
}

export interface Listed {
  id: string;
  event: string;
  state: "pending" | "delivered" | "failed";
  attempts: { at: string; status: number | null; ms: number; error: string | null }[];
  nextAttemptAt: string | null;
}

export const URL_OF_RECEIVER = "https://receiver.example/hook";

export async function makeWebhook(client: Client, body: object = {}): Promise<Made> {
  const reply = await client.call<Made>("POST", "/webhooks", {
    url: URL_OF_RECEIVER,
    events: ["*"],
    ...body,
  });
  expect(reply.status, JSON.stringify(reply.error)).toBe(201);
  return reply.data;
}

export async function listDeliveries(client: Client, id: string): Promise<Listed[]> {
  const reply = await client.call<Listed[]>("GET", `/webhooks/${id}/deliveries?limit=100`);
  expect(reply.status).toBe(200);
  return reply.data;
}

/** A request that a receiver has got. */
export interface Got {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

/** A receiver that answers as the test says, and verifies each request as the library of Standard Webhooks does. */
export class Receiver {
  readonly got: Got[] = [];
  /** Requests that are open. */
  open = 0;
  mostOpen = 0;
  /** The present time of the rounds. */
  now = Date.now();
  answer: (got: Got) => Response | Promise<Response> = () => new Response(null, { status: 204 });
  readonly #secret: string | null;

  constructor(secret: string | null) {
    this.#secret = secret;
  }

  readonly fetch: RoundTools["fetch"] = async (_url, init) => {
    const body = init.body as string;
    const headers = init.headers as Record<string, string>;
    // The library compares the time with that of the machine.
    if (this.#secret !== null && Math.abs(this.now - Date.now()) < 60_000)
      new Webhook(this.#secret).verify(body, headers);
    const message = JSON.parse(body) as Omit<Got, "id">;
    const got = { id: headers["webhook-id"] ?? "", type: message.type, data: message.data };
    this.got.push(got);
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    try {
      return await this.answer(got);
    } finally {
      this.open -= 1;
    }
  };

  tools(changed: Partial<RoundTools> = {}): RoundTools {
    return {
      db: database(bindings.DB),
      now: () => this.now,
      random: () => 0.5,
      fetch: this.fetch,
      rules: { isLocal: false },
      cursorSecret: bindings.CURSOR_SECRET,
      base: "",
      log: () => undefined,
      ...changed,
    };
  }

  /** Makes a round, as one invocation. */
  round(id: string, changed: Partial<RoundTools> = {}): Promise<RoundReport> {
    return inOneInvocation(() => deliverRound(id, this.tools(changed)));
  }

  /** Lets time go by until the next attempt is due, and makes a round. */
  async later(id: string): Promise<RoundReport> {
    const { nextAt } = await this.round(id);
    if (nextAt === null) throw new Error("Nothing is due.");
    this.now = Math.max(this.now, nextAt);
    return this.round(id);
  }
}

export const answering = (status: number) => (): Response => new Response(null, { status });

/** The times of the attempts of a delivery that always fails, after the first one. */
export const RETRY_TIMES = WEBHOOKS.retryMs.map((_, n) =>
  WEBHOOKS.retryMs.slice(0, n + 1).reduce((sum, ms) => sum + ms, 0),
);

/** Runs work with a context as the platform gives one, and waits for all that it leaves to be done. */
export async function inContext<T>(work: (context: ExecutionContext) => Promise<T>): Promise<T> {
  const context = createExecutionContext();
  const outcome = await work(context);
  await waitOnExecutionContext(context);
  return outcome;
}
