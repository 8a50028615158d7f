/** The secrets of a local deployment: the root token and the cursor secret, made on the first start. */
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SECRET } from "../../src/limits.ts";

export const TOKEN_FILE = ".dev.vars";
const CURSOR_SECRET_FILE = "cursor-secret";
const SECRET_BYTES = 32;

const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/** @throws Error that says how to get a longer one */
function checkLength(token: string, place: string): string {
  if (token.length >= SECRET.minCharacters) return token;
  throw new Error(
    `The ROOT_TOKEN in ${place} has ${token.length} characters; it needs at least ${SECRET.minCharacters}. ` +
      `Make one with "openssl rand -base64 32", or leave it out: npm start then makes one in ${TOKEN_FILE}.`,
  );
}

/**
 * Returns the root token from the environment, or from `file`, which is created if it is missing.
 * @throws Error when the token is too short
 */
export function rootToken(given = process.env["ROOT_TOKEN"], file = TOKEN_FILE): string {
  if (given) return checkLength(given, "the environment");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const known = /^ROOT_TOKEN\s*=\s*"?([^"\r\n]+)"?\s*$/m.exec(text)?.[1];
  if (known) return checkLength(known, file);
  const token = newSecret();
  appendFileSync(file, `${text === "" || text.endsWith("\n") ? "" : "\n"}ROOT_TOKEN="${token}"\n`, {
    mode: 0o600,
  });
  return token;
}

/** Returns the cursor secret, which is kept with the data: cursors outlive a restart, with another root token too. */
export function cursorSecret(dataDir: string): string {
  const file = join(dataDir, CURSOR_SECRET_FILE);
  if (existsSync(file)) return readFileSync(file, "utf8");
  const secret = newSecret();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(file, secret, { mode: 0o600 });
  return secret;
}
