/** Each version that is kept is the record as it was at that version, after any sequence of events. */
import { expect, it } from "vitest";
import type { Client } from "../support/api.ts";
import { expectConsistent } from "../support/content/content-crash.ts";
import { makePosts, POSTS } from "../support/content/drafts.ts";
import { ofRing, rounds } from "../../support/ring.ts";

/** No measure of speed: some hundred requests, on a machine that may be busy. */
const MANY_REQUESTS_MS = 600_000;
const STEPS = rounds(30, 60);

/** Yields the same numbers at every run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

type Content = Record<string, unknown>;

const contentOf = ({ title, slug, n, friend, friends }: Content): Content => ({
  title,
  slug,
  n,
  friend,
  friends,
});

async function replay(client: Client, seed: number): Promise<void> {
  const random = numbers(seed);
  const below = (limit: number): number => Math.floor((random.next().value as number) * limit);
  const id = await client.create("posts", { title: "0" });
  const path = `${POSTS}/${id}`;
  const draft = async () => (await client.call("GET", `${path}?status=draft`)).data;
  const known = new Map<number, Content>();
  let published: number | null = null;
  const note = async (): Promise<number> => {
    const record = await draft();
    const version = Number(record["version"]);
    if (known.has(version)) expect(contentOf(record)).toEqual(known.get(version));
    else known.set(version, contentOf(record));
    return version;
  };
  let version = await note();
  for (let step = 0; step < STEPS; step++) {
    const change: Content = { [["title", "slug"][below(2)] ?? "title"]: `${seed}-${below(9)}`, n: below(4) };
    if (below(3) === 0) change["friends"] = below(2) === 0 ? [id] : null;
    switch (below(7)) {
      case 0:
        await client.call("POST", `${path}/versions/${1 + below(version)}/restore`);
        break;
      case 1:
        expect((await client.call("POST", `${path}/publish`)).status).toBe(200);
        published = version;
        break;
      case 2:
        await client.call("POST", `${path}/unpublish`);
        published = null;
        break;
      case 3:
        await client.call("DELETE", path);
        await client.call("POST", `/trash/${id}/restore`);
        break;
      default:
        expect((await client.call("PUT", path, change)).status).toBe(200);
    }
    version = await note();
    const shown = await client.call("GET", path);
    if (published === null) expect(shown.status).toBe(404);
    else expect([shown.data["version"], contentOf(shown.data)]).toEqual([published, known.get(published)]);
  }
  for (const [number, content] of known) {
    const kept = await client.call<{ record: Content }>("GET", `${path}/versions/${number}`);
    expect(contentOf(kept.data.record)).toEqual(content);
  }
  expect([...known.keys()].sort((a, b) => a - b)).toEqual([...known.keys()].map((_, index) => index + 1));
}

it(
  "gives each version, after any steps",
  async () => {
    const client = await makePosts();
    for (const seed of ofRing([1, 2, 3], 3)) await replay(client, seed);
    await expectConsistent();
  },
  MANY_REQUESTS_MS,
);
