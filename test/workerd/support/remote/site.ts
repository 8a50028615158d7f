/** A space that serves pictures of another server, and visitors who ask for them. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { HOUR_MS, REMOTE } from "../../../../src/limits.ts";
import { Client } from "../api.ts";
import { moveClock } from "../clean.ts";
import { eventually } from "../eventually.ts";
import { request } from "../http.ts";
import { objectOf, queueOf } from "../queue.ts";
import { FakeOrigin, ORIGIN } from "./origin.ts";

export interface Seen {
  status: number;
  location: string | null;
  state: string | null;
  cacheControl: string | null;
}

export interface RemoteUsage {
  pictures: number;
  bytes: number;
  maxBytes: number;
}

export class RemoteSite {
  client!: Client;
  origin!: FakeOrigin;

  /** Asks for a picture of the origin, or of a whole address. */
  async ask(path: string, query = "", visitor = "192.0.2.1"): Promise<Seen> {
    const url = encodeURIComponent(path.startsWith("/") ? ORIGIN + path : path);
    const answer = await request(`/api/v1/${this.client.space.name}/remote?url=${url}&${query}`, {
      headers: { "CF-Connecting-IP": visitor },
    });
    await answer.body?.cancel();
    return {
      status: answer.status,
      location: answer.headers.get("Location"),
      state: answer.headers.get("X-Service-Transform"),
      cacheControl: answer.headers.get("Cache-Control"),
    };
  }

  /** Asks until the variant is there. @returns its path */
  warm(path: string, query = "w=64"): Promise<string> {
    return eventually(async () => {
      // The isolate remembers for half a second what the queue said.
      if (vi.isFakeTimers()) moveClock(600);
      const { location } = await this.ask(path, query);
      expect(location).toMatch(/^\/cdn\/v\//);
      return location as string;
    });
  }

  /** Lets time pass for the isolate's memory and for the queue. */
  async pass(ms: number): Promise<void> {
    moveClock(ms);
    await runDurableObjectAlarm(objectOf(this.client.space));
  }

  /** Waits until so many fetches are over. */
  fetchesOver(count: number): Promise<void> {
    return eventually(async () => {
      expect(await this.fetches()).toBeGreaterThanOrEqual(count);
    });
  }

  /** Returns how many fetches are over. */
  async fetches(): Promise<number> {
    return (await queueOf(this.client.space).fetches()).recent.length;
  }

  async usage(): Promise<RemoteUsage> {
    return (await this.client.call<{ remote: RemoteUsage }>("GET", "/usage")).data.remote;
  }
}

const VISITORS_FIRST_MS = REMOTE.visitorsFirstMs;

/** Sets how long after its admission a fetch begins. The time of the rules comes back after the test. */
export function visitorsFirst(ms: number): void {
  (REMOTE as { visitorsFirstMs: number }).visitorsFirstMs = ms;
}

/** Waits longer than a fetch needs from its beginning to its request. */
export const pauseForFetch = (): Promise<void> => scheduler.wait(200);

/** Waits of about an hour of the queues, which end when the test says so. */
export interface HeldWaits {
  /** The waits that have begun. */
  begun: number;
  /** How many of them have ended; the earliest end first. */
  ended: number;
}

/** Holds the waits before fetches, after `visitorsFirst` of an hour. */
export function holdWaits(): HeldWaits {
  const held: HeldWaits = { begun: 0, ended: 0 };
  const wait = scheduler.wait.bind(scheduler);
  vi.spyOn(scheduler, "wait").mockImplementation(async (ms, options) => {
    if (ms < HOUR_MS / 2) return wait(ms, options);
    const turn = (held.begun += 1);
    while (held.ended < turn) await wait(5);
  });
  return held;
}

/** Makes a new space before each test, whose one origin the test controls. Fetches begin at once. */
export function useRemoteSite(): RemoteSite {
  const site = new RemoteSite();
  afterEach(() => visitorsFirst(VISITORS_FIRST_MS));
  beforeEach(async () => {
    visitorsFirst(0);
    site.client = await Client.make();
    site.origin = new FakeOrigin();
    await site.client.call("PATCH", "/settings", { origins: [ORIGIN] });
  });
  return site;
}
