/** Compares all that a space has with the ledger: records, published contents, versions, media, their bytes, and searches. */
import type { Space } from "../../harness/api.ts";
import { forEach } from "../../harness/at-once.ts";
import type { Caller } from "./caller.ts";
import { POSTS } from "./fill.ts";
import { firstWord, presentOf, sha256Of, type Contents, type Entry } from "./ledger.ts";

/** Searches for words of the present texts, and for words that are over. */
const SEARCHES = 200;

export interface Compared {
  faults: string[];
  records: number;
  published: number;
  versions: number;
  media: number;
  searches: number;
}

interface RecordRead {
  id: string;
  mark: string;
  text: string;
  version: number;
}

interface MediaRead {
  id: string;
  filename: string;
  alt: string;
  url: string;
}

async function allOf<Item>(caller: Caller, space: Space, path: string, key?: string): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = `${path.includes("?") ? "&" : "?"}limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const answer = await caller.read(`${space.api}${path}${query}`, key === undefined ? {} : { key });
    if (!answer) throw new Error(`${path} cannot be listed`);
    const page = answer.body as { data: Item[]; meta: { nextCursor: string | null } };
    items.push(...page.data);
    cursor = page.meta.nextCursor;
  }
  return items;
}

/** Returns the faults of a list against what must be in it, and in it once. */
function listed<Item extends { id: string }>(
  what: string,
  found: readonly Item[],
  expected: ReadonlyMap<string, (item: Item) => string | null>,
): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const item of found) {
    if (seen.has(item.id)) faults.push(`${what} ${item.id} is listed twice`);
    seen.add(item.id);
    const check = expected.get(item.id);
    const fault = check ? check(item) : "was never acknowledged";
    if (fault !== null) faults.push(`${what} ${item.id} ${fault}`);
  }
  for (const id of expected.keys()) if (!seen.has(id)) faults.push(`${what} ${id} is lost`);
  return faults;
}

const asDraft =
  (entry: Entry) =>
  ({ mark, text, version }: RecordRead): string | null =>
    mark === entry.mark && text === presentOf(entry) && version === entry.version
      ? null
      : `is "${text}", version ${version}, not "${presentOf(entry)}", version ${entry.version}`;

const asPublished =
  (entry: Entry) =>
  ({ text }: RecordRead): string | null =>
    text === entry.publishedText ? null : `is published as "${text}", not "${entry.publishedText}"`;

/**
 * Compares a space with what the writers know.
 * @param historyOf the records whose whole history is read
 */
export async function compare(
  caller: Caller,
  space: Space,
  { records, files }: Contents,
  historyOf: readonly Entry[],
): Promise<Compared> {
  const { api, key } = space;
  const faults: string[] = [];
  const there = records.filter(({ state }) => state === "there");
  const drafts = await allOf<RecordRead>(caller, space, `${POSTS}?status=draft`, key);
  faults.push(...listed("record", drafts, new Map(there.map((entry) => [entry.id, asDraft(entry)]))));
  const shown = there.filter(({ publishedText }) => publishedText !== null);
  const published = await allOf<RecordRead>(caller, space, POSTS);
  faults.push(
    ...listed("published record", published, new Map(shown.map((one) => [one.id, asPublished(one)]))),
  );
  const trashed = await allOf<{ id: string }>(caller, space, "/trash", key);
  const isTrashed = records.filter(({ state }) => state === "trashed");
  faults.push(...listed("trashed record", trashed, new Map(isTrashed.map(({ id }) => [id, () => null]))));

  let versions = 0;
  const live = historyOf.filter(({ state }) => state === "there");
  await forEach(live.length, async (n) => {
    const entry = live[n] as Entry;
    const events = await allOf<{ version: number; event: string }>(
      caller,
      space,
      `${POSTS}/${entry.id}/versions`,
      key,
    );
    const contents = events.filter(({ event }) => event === "created" || event === "updated");
    const numbers = contents.map(({ version }) => version).sort((a, b) => a - b);
    if (numbers.join() !== entry.texts.map((_, index) => index + 1).join())
      faults.push(`record ${entry.id} has the versions ${numbers.join()}, of ${entry.texts.length}`);
    versions += numbers.length;
    // An earlier content, too: any one.
    const at = Math.floor(Math.random() * entry.texts.length);
    const earlier = await caller.read(`${api}${POSTS}/${entry.id}/versions/${at + 1}`, { key });
    const text = (earlier?.data["record"] as RecordRead | undefined)?.text;
    if (text !== entry.texts[at]) faults.push(`version ${at + 1} of record ${entry.id} is "${text}"`);
  });

  const media = await allOf<MediaRead>(caller, space, "/media", key);
  const expected = new Map(
    files.map((file) => [
      file.id,
      ({ filename, alt }: MediaRead) =>
        filename === file.filename && alt === file.alt ? null : `is ${filename}, "${alt}", not "${file.alt}"`,
    ]),
  );
  faults.push(...listed("media", media, expected));
  const urlOf = new Map(media.map(({ id, url }) => [id, url]));
  await forEach(files.length, async (n) => {
    const { id = "", sha256 } = files[n] ?? {};
    const read = await caller.read(new URL(urlOf.get(id) ?? "/", api).href);
    if (read && sha256Of(read.bytes) !== sha256) faults.push(`the file of media ${id} has other bytes`);
  });

  const searched = Array.from({ length: SEARCHES }, (_, n) =>
    n % 2 === 0 ? live[n % Math.max(1, live.length)] : there[(n * 7919) % Math.max(1, there.length)],
  ).filter((entry) => entry !== undefined);
  await forEach(searched.length, async (n) => {
    const entry = searched[n] as Entry;
    const find = async (text: string): Promise<string[]> => {
      const read = await caller.read(`${api}${POSTS}?status=draft&search=${firstWord(text)}`, { key });
      return ((read?.body as { data: RecordRead[] } | undefined)?.data ?? []).map(({ id }) => id);
    };
    const found = await find(presentOf(entry));
    if (found.join() !== entry.id)
      faults.push(`a search for ${presentOf(entry)} found ${found.length} records`);
    const earlier = entry.texts[entry.texts.length - 2];
    if (earlier !== undefined && (await find(earlier)).length > 0)
      faults.push(`a search for an earlier text of record ${entry.id} found something`);
  });
  return {
    faults,
    ...{ records: drafts.length, published: published.length, versions },
    ...{ media: media.length, searches: searched.length },
  };
}
