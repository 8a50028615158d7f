/** Visitors and editors who read while the space moves. None of their reads may be refused, or show what is over. */
import type { Space } from "../../harness/api.ts";
import type { Caller } from "./caller.ts";
import { POSTS } from "./fill.ts";
import { firstWord, isQuiet, presentOf, sha256Of, type Contents } from "./ledger.ts";

const random = (below: number): number => Math.floor(Math.random() * below);
const pick = <T>(items: readonly T[]): T | undefined => items[random(items.length)];

/** Reads one thing after another until `isOver`. */
export async function readOn(
  caller: Caller,
  space: Space,
  contents: Contents,
  isOver: () => boolean,
  everyMs: number,
): Promise<void> {
  const { api, key } = space;
  const fault = (text: string): void => void caller.faults.push(text);

  async function record(): Promise<void> {
    const entry = pick(contents.records);
    if (entry?.state !== "there") return;
    const shown = entry.texts.length - 1;
    const { trashings } = entry;
    const read = await caller.read(`${api}${POSTS}/${entry.id}?status=draft`, { key }, [200, 404]);
    if (!read) return;
    if (read.status === 404) {
      if (entry.trashings === trashings) fault(`record ${entry.id} was not found`);
      return;
    }
    const allowed = [...entry.texts.slice(shown), ...(entry.pending === null ? [] : [entry.pending])];
    if (!allowed.includes(String(read.data["text"])))
      fault(`record ${entry.id} was read as "${String(read.data["text"])}", not ${allowed.join(" or ")}`);
  }

  const acts: [() => Promise<unknown>, number][] = [
    [record, 6],
    [() => caller.read(`${api}${POSTS}?limit=25`), 2],
    [() => caller.read(`${api}${POSTS}?limit=25&status=draft&sort=-n`, { key }), 1],
    [() => caller.read(`${api}/media?limit=25`, { key }), 1],
    [versions, 1],
    [search, 2],
    [file, 3],
  ];
  const drawn = acts.flatMap(([act, often]) => Array.from({ length: often }, () => act));

  async function versions(): Promise<void> {
    const entry = pick(contents.records);
    if (entry?.state === "there")
      await caller.read(`${api}${POSTS}/${entry.id}/versions`, { key }, [200, 404]);
  }

  /** Looks for a word that one record alone has, or had until a moment ago. */
  async function search(): Promise<void> {
    const entry = pick(contents.records);
    if (entry?.state !== "there" || !isQuiet(entry)) return;
    const { trashings, texts } = entry;
    const { length } = texts;
    const word = firstWord(presentOf(entry));
    const read = await caller.read(`${api}${POSTS}?search=${word}&status=draft`, { key });
    const isSame = texts.length === length && isQuiet(entry) && entry.trashings === trashings;
    if (!read || !isSame) return;
    const found = (read.body as { data: { id: string }[] }).data;
    if (found.length !== 1 || found[0]?.id !== entry.id)
      fault(`a search for ${word} found ${found.length} records`);
  }

  /** Follows a picture's redirect to its master. */
  async function file(): Promise<void> {
    const one = pick(contents.files);
    if (!one) return;
    const redirect = await caller.read(`${api}/pictures/${one.id}`, {}, [302]);
    const location = redirect?.headers.get("Location");
    if (!location) return;
    const master = await caller.read(new URL(location, api).href);
    if (master && sha256Of(master.bytes) !== one.sha256) fault(`the file of ${one.id} has other bytes`);
  }

  while (!isOver()) {
    await pick(drawn)?.();
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
