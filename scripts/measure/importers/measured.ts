/** The contents of a space, as the API answers them. */

export type Record_ = Record<string, unknown> & { id: string };

interface Page<Item> {
  data: Item[];
  meta: { nextCursor: string | null };
}

/** Returns the texts in a value, in their order: spans of one block joined. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== "object" || value === null) return [];
  const block = value as { _type?: string; children?: { text: string }[] };
  if (block._type === "block") return [(block.children ?? []).map(({ text }) => text).join("")];
  return Object.entries(value).flatMap(([name, member]) => (name.startsWith("_") ? [] : textsIn(member)));
}

/** Returns the words of texts in lower case, without marks of punctuation. */
export const wordsIn = (texts: readonly string[]): string[] =>
  texts
    .join(" ")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/** Returns the words of a list that another list lacks, each as often as it lacks it. */
export function lackingWords(expected: readonly string[], found: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  return expected.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

export class Measured {
  /** Records by the id of the source: with drafts, and as they are published. */
  readonly drafts = new Map<string, Record_>();
  readonly published = new Map<string, Record_>();
  readonly modelOf = new Map<string, string>();
  readonly counts = new Map<string, number>();
  readonly media: (Record_ & { filename: string; width: number; height: number })[] = [];

  static async read(base: string, space: string, key: string): Promise<Measured> {
    const measured = new Measured();
    const headers = { Authorization: `Bearer ${key}` };
    const get = async <Answer>(path: string): Promise<Answer> => {
      const answer = await fetch(`${base}/api/v1/${space}${path}`, { headers });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return (await answer.json()) as Answer;
    };
    const list = async <Item>(path: string): Promise<Item[]> => {
      const items: Item[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const page: Page<Item> = await get(
          `${path}${path.includes("?") ? "&" : "?"}limit=100${cursor && `&cursor=${cursor}`}`,
        );
        items.push(...page.data);
        cursor = page.meta.nextCursor;
      }
      return items;
    };
    const { data: settings } = await get<{ data: { locales: unknown[] } }>("/settings");
    const all = settings.locales.length > 0 ? "&locale=all" : "";
    for (const { typeModel, name, drafts } of await list<{
      typeModel: string;
      name: string;
      drafts: boolean;
    }>("/models")) {
      if (typeModel === "components") continue;
      const read = async (status: string): Promise<Record_[]> => {
        const path = `/data/${typeModel}/${name}`;
        if (typeModel === "collections") return list(`${path}?${status}${all}`);
        const answer = await fetch(`${base}/api/v1/${space}${path}/${name}?${status}${all}`, { headers });
        return answer.ok ? [((await answer.json()) as { data: Record_ }).data] : [];
      };
      const records = await read(drafts ? "status=draft" : "");
      measured.counts.set(name, records.length);
      for (const record of records) {
        measured.drafts.set(record["sourceId"] as string, record);
        measured.modelOf.set(record["sourceId"] as string, name);
      }
      for (const record of await read("")) measured.published.set(record["sourceId"] as string, record);
    }
    measured.media.push(...(await list<(typeof measured.media)[number]>("/media")));
    return measured;
  }
}
