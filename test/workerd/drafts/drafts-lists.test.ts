/** Lists and searches of drafts and of published contents, compared with a plain implementation of the rules. */
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import type { Client, Reply } from "../support/api.ts";
import { makePosts, POSTS, publish } from "../support/content/drafts.ts";

/** No measure of speed: some hundred requests, on a machine that may be busy. */
const MANY_REQUESTS_MS = 300_000;
const RECORDS = 24;
const WORDS = ["alpha", "alps", "beta", "Bêta", "gamma"];

interface Post {
  id: string;
  title: string;
  n: number | null;
}

let client: Client;
/** In order of creation; a record that was never published is not among the published ones. */
const contents: Record<"draft" | "published", Post[]> = { draft: [], published: [] };

/** Returns the values of the record with this number: as it was first, or as it was changed. */
const valuesOf = (index: number, round: number): Omit<Post, "id"> => ({
  title: `${WORDS[(index + round) % 5]} ${WORDS[(index * 3 + round * 2) % 5]}`,
  n: (index + round) % 4 === 0 ? null : (index * 7 + round * 5) % 6,
});

beforeAll(async () => {
  client = await makePosts();
  const { data } = await client.call<{ fields: { name: string }[] }>("GET", "/models/collections/posts");
  const fields = data.fields.map((field) => ({
    ...field,
    ...(field.name === "title" && { searchable: true }),
  }));
  expect((await client.call("PUT", "/models/collections/posts", { fields })).status).toBe(200);
  for (let index = 0; index < RECORDS; index++) {
    const id = await client.create("posts", valuesOf(index, 0));
    const first = { id, ...valuesOf(index, 0) };
    if (index % 3 !== 0) {
      expect((await publish(client, id)).status).toBe(200);
      contents.published.push(first);
    }
    const second = { id, ...valuesOf(index, 1) };
    if (index % 2 === 0) await client.call("PUT", `${POSTS}/${id}`, { title: second.title, n: second.n });
    contents.draft.push(index % 2 === 0 ? second : first);
  }
}, MANY_REQUESTS_MS);

type Test = [parameter: string, holds: (post: Post) => boolean];

const number = fc.nat({ max: 5 });
const word = fc.constantFrom(...WORDS);
const fold = (text: string): string => text.toLowerCase().replaceAll("ê", "e");
const filter: fc.Arbitrary<Test> = fc.oneof(
  number.map((n): Test => [`[n][eq]=${n}`, (post) => post.n === n]),
  number.map((n): Test => [`[n][ne]=${n}`, (post) => post.n !== n]),
  number.map((n): Test => [`[n][gte]=${n}`, (post) => post.n !== null && post.n >= n]),
  fc.boolean().map((is): Test => [`[n][null]=${is}`, (post) => (post.n === null) === is]),
  word.map((text): Test => [`[title][startsWith]=${text}`, ({ title }) => title.startsWith(text)]),
  word.map((text): Test => [`[title][icontains]=${text}`, ({ title }) => fold(title).includes(fold(text))]),
);
const prefixes = fc.uniqueArray(fc.constantFrom("al", "ALPH", "beta", "bê", "gam", "mma"), {
  minLength: 1,
  maxLength: 2,
});
const finds = (post: Post, asked: string[]): boolean =>
  asked.every((prefix) =>
    fold(post.title)
      .split(" ")
      .some((one) => one.startsWith(fold(prefix))),
  );

/** Sorts by number; null comes after every number. */
const byNumber = (a: Post, b: Post): number => (a.n ?? Infinity) - (b.n ?? Infinity) || 0;

async function readAll(query: string): Promise<{ ids: string[]; total: number | undefined }> {
  const ids: string[] = [];
  let total: number | undefined;
  for (let cursor: string | null = ""; cursor !== null;) {
    const path: string = `${POSTS}?limit=9&count=true&${query}${cursor && `&cursor=${cursor}`}`;
    const reply: Reply<Post[]> = await client.call<Post[]>("GET", path);
    expect([query, reply.status]).toEqual([query, 200]);
    ids.push(...reply.data.map(({ id }) => id));
    cursor = reply.meta.nextCursor;
    total = reply.meta.total;
  }
  return { ids, total };
}

it(
  "have the records of the content that is asked for, whatever the other one holds",
  async () => {
    const asked = fc.record({
      content: fc.constantFrom("draft" as const, "published" as const),
      filters: fc.uniqueArray(filter, { maxLength: 2, selector: ([parameter]) => parameter.split("=")[0] }),
      search: fc.option(prefixes, { nil: null }),
      isByNumber: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ content, filters, search, isByNumber }) => {
        const matching = contents[content].filter(
          (post) => filters.every(([, holds]) => holds(post)) && (!search || finds(post, search)),
        );
        const order = search ? `search=${search.join("%20")}` : `sort=${isByNumber ? "n" : "createdAt"}`;
        const query = [order, `status=${content}`, ...filters.map(([parameter]) => `filter${parameter}`)];
        const { ids, total } = await readAll(query.join("&"));
        expect(total).toBe(matching.length);
        const expected = (isByNumber && !search ? [...matching].sort(byNumber) : matching).map(
          ({ id }) => id,
        );
        // The order of a search is that of its ranks, which are no promise.
        if (search) expect([...ids].sort()).toEqual([...expected].sort());
        else expect(ids).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  },
  MANY_REQUESTS_MS,
);
