/** The root token of a local deployment: from the environment, or from .dev.vars, which is created if missing. */
import { randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";

export const TOKEN_FILE = ".dev.vars";
const TOKEN_BYTES = 32;

export function rootToken(): string {
  const given = process.env["ROOT_TOKEN"];
  if (given) return given;
  const text = existsSync(TOKEN_FILE) ? readFileSync(TOKEN_FILE, "utf8") : "";
  const known = /^ROOT_TOKEN\s*=\s*"?([^"\r\n]+)"?\s*$/m.exec(text)?.[1];
  if (known) return known;
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  appendFileSync(TOKEN_FILE, `${text === "" || text.endsWith("\n") ? "" : "\n"}ROOT_TOKEN="${token}"\n`, {
    mode: 0o600,
  });
  return token;
}
