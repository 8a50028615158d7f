/**
 * Encrypts the signing secrets of webhooks. A key of the API is stored as its hash, because it only has to be compared; a
 * signing secret has to be there for each signature. D1 has it encrypted with AES-GCM, under a key that is derived from
 * CURSOR_SECRET: a copy of the database, such as an export or a backup, then signs nothing. The id of the webhook is
 * authenticated too, so a secret cannot be put into another webhook's row.
 */

const NONCE_BYTES = 12;

let known: { secret: string; key: Promise<CryptoKey> } | null = null;

const encode = (text: string): ReturnType<TextEncoder["encode"]> => new TextEncoder().encode(text);

async function deriveKey(secret: string): Promise<CryptoKey> {
  const bytes = await crypto.subtle.digest("SHA-256", encode(`webhook-secrets:${secret}`));
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

function keyOf(secret: string): Promise<CryptoKey> {
  if (known?.secret !== secret) known = { secret, key: deriveKey(secret) };
  return known.key;
}

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

const fromBase64 = (text: string): ReturnType<TextEncoder["encode"]> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

const parametersOf = (webhookId: string, iv: ReturnType<TextEncoder["encode"]>) => ({
  name: "AES-GCM",
  iv,
  additionalData: encode(webhookId),
});

/** Encrypts the signing secret of a webhook. */
export async function sealSecret(
  cursorSecret: string,
  webhookId: string,
  signingSecret: string,
): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const parameters = parametersOf(webhookId, iv);
  const sealed = await crypto.subtle.encrypt(parameters, await keyOf(cursorSecret), encode(signingSecret));
  return toBase64(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** Decrypts it. Returns null if CURSOR_SECRET is another one than at that time. */
export async function openSecret(
  cursorSecret: string,
  webhookId: string,
  sealed: string,
): Promise<string | null> {
  try {
    const bytes = fromBase64(sealed);
    const parameters = parametersOf(webhookId, bytes.slice(0, NONCE_BYTES));
    const plain = await crypto.subtle.decrypt(
      parameters,
      await keyOf(cursorSecret),
      bytes.slice(NONCE_BYTES),
    );
    return new TextDecoder().decode(plain);
  } catch {
    return null;
  }
}
