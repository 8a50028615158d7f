/**
 * The secrets of the edge Worker. They are made when they are missing, never changed, and sent with the Worker's code, so
 * that no version runs without them. The root token is told once: on a terminal, else in a file.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { SECRET } from "../../src/limits.ts";
import type { CloudflareApi } from "./cloudflare-api.ts";

const NAMES = ["ROOT_TOKEN", "CURSOR_SECRET"] as const;
export type SecretName = (typeof NAMES)[number];

const Listed = z.array(z.object({ name: z.string() }));
const SECRET_BYTES = 32;

/** Where a root token comes from and where it is told. */
export interface RootTokenPlace {
  /** The token that the environment names. */
  given: string | null;
  /** Whether a person reads the output, and no log of a CI. */
  isTerminal: boolean;
  /** The folder for the file with a token that was made without a terminal. */
  directory: string;
}

export const rootTokenPlace = (
  env: Record<string, string | undefined>,
  isTerminal: boolean,
  directory: string,
): RootTokenPlace => ({
  given: env["ROOT_TOKEN"] || null,
  isTerminal: isTerminal && !env["CI"],
  directory,
});

/** Returns the file for a token that was made without a terminal. Git ignores it. */
export const tokenFileOf = (worker: string): string => `.root-token.${worker}`;

/**
 * Returns the names of the secrets that the Worker has: none where there is no such Worker yet.
 * @throws ApiError when the list could not be read
 */
export async function knownSecrets(api: CloudflareApi, worker: string): Promise<string[]> {
  const found = await api.find(`/workers/scripts/${worker}/secrets`);
  return found === null ? [] : Listed.parse(found).map(({ name }) => name);
}

/** Returns the names of the secrets that a Worker with these lacks. */
export const missingSecrets = (known: readonly string[]): SecretName[] =>
  NAMES.filter((name) => !known.includes(name));

/** Says what to do about a given root token that is too short; null if there is nothing to do. */
export function tokenFault(missing: readonly SecretName[], { given }: RootTokenPlace): string | null {
  if (!missing.includes("ROOT_TOKEN") || given === null || given.length >= SECRET.minCharacters) return null;
  return (
    `ROOT_TOKEN in the environment has ${given.length} characters; it needs at least ${SECRET.minCharacters}. ` +
    'Make one with "openssl rand -base64 32", or leave it out: the deploy then makes one.'
  );
}

const newSecret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

/** Makes a root token and tells it before it is sent: if the answer to that is lost, the token is not. */
function newRootToken(worker: string, place: RootTokenPlace, print: (line: string) => void): string {
  if (place.given !== null) {
    print("  ROOT_TOKEN is the one in the environment.");
    return place.given;
  }
  const token = newSecret();
  if (place.isTerminal) {
    print(`\n  ROOT_TOKEN, shown this once: ${token}\n`);
    return token;
  }
  const file = join(place.directory, tokenFileOf(worker));
  writeFileSync(file, `${token}\n`, { mode: 0o600 });
  // The mode above is that of a new file.
  chmodSync(file, 0o600);
  print(
    `  ROOT_TOKEN was written into ${tokenFileOf(worker)}, which only you can read. Keep the token elsewhere and delete the\n` +
      "  file. On a machine that is thrown away, as in CI, set ROOT_TOKEN in the environment of the first deploy instead.",
  );
  return token;
}

/** Makes the secrets that are missing. */
export const makeSecrets = (
  missing: readonly SecretName[],
  worker: string,
  place: RootTokenPlace,
  print: (line: string) => void,
): Partial<Record<SecretName, string>> =>
  Object.fromEntries(
    missing.map((name) => [name, name === "ROOT_TOKEN" ? newRootToken(worker, place, print) : newSecret()]),
  );
