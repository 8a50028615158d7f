/** Compares two folders of exports, byte for byte. */
import { createHash } from "node:crypto";
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const timeless = (line: string): string => line.replace(/^(\{"kind":"space".*?"exportedAt":")[^"]+/, "$1");

const linesOf = (folder: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(join(folder, "export.ndjson")), crlfDelay: Infinity });

const sha256Of = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

/** Returns the SHA-256 of each file of `masters/` by its name, sorted. */
const mastersOf = (folder: string): string[] =>
  readdirSync(join(folder, "masters"))
    .sort()
    .map((name) => `${name} ${sha256Of(join(folder, "masters", name))}`);

export interface Sameness {
  lines: number;
  bytes: number;
  masters: number;
  /** The differences that were found first. */
  faults: string[];
}

const FAULTS_MAX = 5;
const SHOWN_CHARACTERS = 200;
const SHOWN_BEFORE = 60;

/** Compares the lines of two exports, but for `exportedAt`, and their masters. */
export async function compareExports(one: string, other: string): Promise<Sameness> {
  const faults: string[] = [];
  const theirs = linesOf(other)[Symbol.asyncIterator]();
  let [lines, bytes] = [0, 0];
  const differs = (a: string | undefined, b: string | undefined): void => {
    if (a === b || faults.length >= FAULTS_MAX) return;
    let at = 0;
    while (at < (a ?? "").length && a?.[at] === b?.[at]) at += 1;
    const from = Math.max(0, at - SHOWN_BEFORE);
    const shown = (text: string | undefined): string =>
      text === undefined ? "(none)" : text.slice(from, from + SHOWN_CHARACTERS);
    faults.push(`line ${lines}:\n  ${shown(a)}\n  ${shown(b)}`);
  };
  for await (const line of linesOf(one)) {
    lines += 1;
    bytes += Buffer.byteLength(line) + 1;
    const next = (await theirs.next()) as IteratorResult<string, undefined>;
    differs(timeless(line), next.value === undefined ? undefined : timeless(next.value));
  }
  for (let next = await theirs.next(); next.done !== true; next = await theirs.next()) {
    lines += 1;
    differs(undefined, next.value);
  }
  const masters = mastersOf(one);
  if (masters.join("\n") !== mastersOf(other).join("\n")) faults.push("the masters differ");
  return { lines, bytes, masters: masters.length, faults };
}
