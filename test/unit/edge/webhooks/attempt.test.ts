/** Attempts of deliveries and their repetition (RULES 15.4). */
import { Webhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { attempt, nextAttemptAt, type AttemptTools } from "../../../../src/edge/webhooks/attempt.ts";
import { newSigningSecret } from "../../../../src/edge/webhooks/signature.ts";
import { WEBHOOKS } from "../../../../src/limits.ts";

const secret = newSigningSecret();
const outgoing = { id: "D1", url: "https://example.com/hook", body: '{"type":"ping"}', secrets: [secret] };

const toolsWith = (fetch: AttemptTools["fetch"]): AttemptTools => ({
  fetch,
  now: Date.now,
  rules: { isLocal: false },
});
const answering = (status: number, headers: Record<string, string> = {}) =>
  attempt(
    outgoing,
    toolsWith(() => Promise.resolve(new Response(status === 204 ? null : "text", { status, headers }))),
  );

describe("an attempt", () => {
  it("is a signed POST that follows no redirect", async () => {
    const calls: [string, RequestInit][] = [];
    const { attempt: made } = await attempt(
      outgoing,
      toolsWith((url, init) => {
        calls.push([url, init]);
        return Promise.resolve(new Response(null, { status: 204 }));
      }),
    );
    expect(made).toMatchObject({ status: 204, error: null });
    const [[url, init]] = calls as [[string, RequestInit]];
    expect([url, init.method, init.redirect, init.body]).toEqual([
      ...[outgoing.url, "POST", "manual", outgoing.body],
    ]);
    const headers = init.headers as Record<string, string>;
    expect(headers).toMatchObject({ "Content-Type": "application/json", "webhook-id": "D1" });
    expect(new Webhook(secret).verify(outgoing.body, headers)).toEqual({ type: "ping" });
  });

  it("succeeds with any 2xx, and fails with anything else", async () => {
    for (const status of [200, 201, 202, 204, 299])
      expect((await answering(status)).attempt).toMatchObject({ status, error: null });
    for (const status of [400, 401, 404, 429, 500, 503])
      expect((await answering(status)).attempt).toMatchObject({
        status,
        error: `The receiver answered ${status}.`,
      });
  });

  it("fails with a redirect, and says what to do", async () => {
    const { attempt: made, isGone } = await answering(301, { Location: "https://example.com/other" });
    expect([made.status, isGone]).toEqual([301, false]);
    expect(made.error).toMatch(/redirects/);
  });

  it("with 410 says that the receiver wants nothing more", async () => {
    expect((await answering(410)).isGone).toBe(true);
    expect((await answering(404)).isGone).toBe(false);
  });

  it("fails when the connection does, and when no answer comes in time", async () => {
    const broken = await attempt(
      outgoing,
      toolsWith(() => Promise.reject(new Error("reset"))),
    );
    expect(broken.attempt).toMatchObject({
      status: null,
      error: expect.stringMatching(/broke off/) as string,
    });
    vi.useFakeTimers();
    try {
      let isAsked = (): void => undefined;
      const asked = new Promise<void>((resolve) => (isAsked = resolve));
      const trying = attempt(
        outgoing,
        toolsWith((_, { signal }) => {
          isAsked();
          return new Promise((_, reject) =>
            signal?.addEventListener("abort", () => reject(new Error("aborted"))),
          );
        }),
      );
      await asked;
      await vi.advanceTimersByTimeAsync(WEBHOOKS.answerMaxMs);
      const slow = await trying;
      expect(slow.attempt.error).toBe("No answer within 10 seconds.");
      expect(slow.attempt.ms).toBe(WEBHOOKS.answerMaxMs);
    } finally {
      vi.useRealTimers();
    }
  });

  it("sends nothing without a secret, nor to an address that is not allowed any more", async () => {
    const none = toolsWith(() => Promise.reject(new Error("sent all the same")));
    const without = await attempt({ ...outgoing, secrets: null }, none);
    expect(without.attempt.error).toMatch(/secret cannot be read/);
    const local = await attempt({ ...outgoing, url: "http://localhost:8821/" }, none);
    expect(local.attempt.error).toMatch(/such an address/);
  });
});

describe("the attempts of a delivery", () => {
  const SECONDS = [5, 30, 120, 600, 3600, 4 * 3600, 12 * 3600];

  it("come after 5 s, 30 s, 2 min, 10 min, 1 h, 4 h and 12 h, with jitter, and end then", () => {
    SECONDS.forEach((seconds, tries) => {
      expect(nextAttemptAt(tries, 1000, 0.5)).toBe(1000 + seconds * 1000);
      expect(nextAttemptAt(tries, 0, 0)).toBe(seconds * 800);
      expect(nextAttemptAt(tries, 0, 1)).toBe(seconds * 1200);
    });
    expect(nextAttemptAt(SECONDS.length, 0, 0.5)).toBeNull();
  });
});
