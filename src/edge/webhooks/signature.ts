/** Signs deliveries as Standard Webhooks says (https://www.standardwebhooks.com): symmetric signatures, `v1`. */
import { WEBHOOKS } from "../../limits.ts";

const PREFIX = "whsec_";
const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/** Returns a new signing secret: `whsec_` and 256 random bits in base64. */
export function newSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(WEBHOOKS.secretBytes));
  return PREFIX + btoa(String.fromCharCode(...bytes));
}

/** The parts of a delivery that are signed. */
export interface Signed {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

async function signatureBy(secret: string, { id, timestamp, body }: Signed): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.slice(PREFIX.length)), (character) => character.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign(HMAC.name, key, signed));
  return `v1,${btoa(String.fromCharCode(...signature))}`;
}

/** Returns the headers of a delivery. Of several secrets, each signs, and the receiver takes any of the signatures. */
export async function signatureHeaders(
  secrets: readonly string[],
  signed: Signed,
): Promise<Record<string, string>> {
  const signatures = await Promise.all(secrets.map((secret) => signatureBy(secret, signed)));
  return {
    "webhook-id": signed.id,
    "webhook-timestamp": String(signed.timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
