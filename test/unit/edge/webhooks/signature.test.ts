/** Signatures, checked by the library that receivers use (RULES 15.4). */
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { newSigningSecret, signatureHeaders } from "../../../../src/edge/webhooks/signature.ts";
import { openSecret, sealSecret } from "../../../../src/edge/webhooks/vault.ts";

const now = (): number => Math.floor(Date.now() / 1000);
const body = JSON.stringify({
  type: "ping",
  timestamp: "2026-11-27T00:00:00.000Z",
  data: { title: "Grüße 🌍" },
});

describe("a signature", () => {
  it("is taken by the library of Standard Webhooks", async () => {
    const secret = newSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const headers = await signatureHeaders([secret], { id: "msg", timestamp: now(), body });
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  });

  it("is that of the example in the standard", async () => {
    const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    const headers = await signatureHeaders([secret], {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
    });
    expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  it("is refused with another body, id, time or secret", async () => {
    const secret = newSigningSecret();
    const headers = await signatureHeaders([secret], { id: "msg", timestamp: now(), body });
    const verify =
      (changed: Record<string, string>, text = body, by = secret) =>
      () =>
        new Webhook(by).verify(text, { ...headers, ...changed });
    expect(verify({})).not.toThrow();
    expect(verify({}, `${body} `)).toThrow(/signature/i);
    expect(verify({ "webhook-id": "other" })).toThrow(/signature/i);
    expect(verify({ "webhook-timestamp": String(now() + 1) })).toThrow(/signature/i);
    expect(verify({}, body, newSigningSecret())).toThrow(/signature/i);
  });

  it("of two secrets is taken by a receiver that knows either", async () => {
    const [before, after] = [newSigningSecret(), newSigningSecret()];
    const headers = await signatureHeaders([after, before], { id: "msg", timestamp: now(), body });
    for (const secret of [before, after])
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(newSigningSecret()).verify(body, headers)).toThrow();
  });
});

describe("a stored secret", () => {
  const cursorSecret = "c".repeat(32);

  it("is encrypted, each time differently, and is read again", async () => {
    const secret = newSigningSecret();
    const [first, second] = [
      await sealSecret(cursorSecret, "one", secret),
      await sealSecret(cursorSecret, "one", secret),
    ];
    expect(first).not.toBe(second);
    expect(atob(first)).not.toContain(secret.slice(6, 20));
    expect(await openSecret(cursorSecret, "one", first)).toBe(secret);
    expect(await openSecret(cursorSecret, "one", second)).toBe(secret);
  });

  it("is not read in another webhook's row, under another CURSOR_SECRET, or changed", async () => {
    const sealed = await sealSecret(cursorSecret, "one", newSigningSecret());
    expect(await openSecret(cursorSecret, "two", sealed)).toBeNull();
    expect(await openSecret("d".repeat(32), "one", sealed)).toBeNull();
    expect(await openSecret(cursorSecret, "one", `${sealed.slice(0, -4)}AAAA`)).toBeNull();
    expect(await openSecret(cursorSecret, "one", "%")).toBeNull();
  });
});
