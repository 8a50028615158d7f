/** Random bulks against a model in memory, in which the same operations are done one at a time. */
import { expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { expectConsistent } from "../support/content/content-crash.ts";
import { makePosts, POSTS } from "../support/content/drafts.ts";
import { ofRing } from "../../support/ring.ts";

/** No measure of speed: some hundred requests, on a machine that may be busy. */
const MANY_REQUESTS_MS = 600_000;
const ROUNDS = 60;
/** Seeds of the numbers by which operations are chosen. */
const SEEDS = ofRing([1, 2, 3], 3);
const OPERATIONS_MAX = 7;

interface Content {
  title: string | null;
  slug: string | null;
  friend: string | null;
}

interface Post {
  version: number;
  draft: Content;
  published: Content | null;
}

type Operation =
  | { op: "create"; data: Partial<Content> }
  | { op: "update"; id: string; data: Partial<Content>; ifMatch?: string }
  | { op: "delete" | "publish" | "unpublish"; id: string; ifMatch?: string };

type State = Map<string, Post>;

interface Expected {
  /** The faults of the operations, by path, that can be told before any is done. */
  faults: string[];
  /** The first operation whose value another record has by then. */
  taken: number | null;
  state: State;
}

const EMPTY: Content = { title: null, slug: null, friend: null };
const nameOfNew = (index: number): string => `new ${index}`;

const isTaken = (state: State, id: string, { slug }: Content): boolean =>
  slug !== null &&
  [...state].some(
    ([other, { draft, published }]) => other !== id && (draft.slug === slug || published?.slug === slug),
  );

/** Applies one operation. */
function doOne(state: State, operation: Operation, newId: string): string | null {
  const before = operation.op === "create" ? undefined : state.get(operation.id);
  if (operation.op !== "create") {
    if (!before) return "id";
    if (operation.ifMatch && !operation.ifMatch.startsWith(`"${before.version}-`)) return "ifMatch";
  }
  switch (operation.op) {
    case "create":
    case "update": {
      const { data } = operation;
      const old = before ?? { version: 0, draft: EMPTY, published: null };
      const draft = { ...old.draft, ...data };
      if (data.friend != null && data.friend !== old.draft.friend && !state.has(data.friend))
        return "data.friend";
      const isChanged = JSON.stringify(draft) !== JSON.stringify(old.draft) || !before;
      const id = operation.op === "create" ? newId : operation.id;
      if (isChanged) state.set(id, { ...old, version: old.version + 1, draft });
      return null;
    }
    case "delete":
      state.delete(operation.id);
      return null;
    case "publish":
      if (before?.draft.title === null) return "title";
      if (before) state.set(operation.id, { ...before, published: before.draft });
      return null;
    case "unpublish":
      if (before) state.set(operation.id, { ...before, published: null });
      return null;
  }
}

function expected(start: State, operations: readonly Operation[]): Expected {
  const state = new Map(start);
  const faults: string[] = [];
  let taken: number | null = null;
  for (const [index, operation] of operations.entries()) {
    const place = doOne(state, operation, nameOfNew(index));
    if (place !== null) faults.push(`operations.${index}.${place}`);
    const id = operation.op === "create" ? nameOfNew(index) : operation.id;
    const post = state.get(id);
    if (taken === null && "data" in operation && post && isTaken(state, id, post.draft)) taken = index;
  }
  return { faults, taken, state };
}

/** Yields the same numbers at every run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) yield (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

function randomOperations(
  below: (limit: number) => number,
  state: State,
  gone: readonly string[],
): Operation[] {
  const ids = [...state.keys()];
  const named = new Set<string>();
  const anyId = (): string => (below(12) === 0 ? gone : ids)[below(ids.length)] ?? ids[0] ?? "nobody";
  const data = (): Partial<Content> => ({
    ...(below(2) === 0 && { slug: below(5) === 0 ? null : `slug ${below(9)}` }),
    ...(below(2) === 0 && { title: below(6) === 0 ? null : `title ${below(4)}` }),
    ...(below(3) === 0 && { friend: below(4) === 0 ? null : anyId() }),
  });
  return Array.from({ length: 1 + below(OPERATIONS_MAX) }).flatMap((): Operation[] => {
    const op =
      (["create", "update", "update", "delete", "publish", "unpublish"] as const)[below(6)] ?? "create";
    if (op === "create") return [{ op, data: data() }];
    const id = anyId();
    if (named.has(id)) return [];
    named.add(id);
    const version = (state.get(id)?.version ?? 1) + (below(5) === 0 ? 1 : 0);
    const ifMatch = below(4) === 0 ? { ifMatch: `"${version}-1"` } : {};
    return [op === "update" ? { op, id, data: data(), ...ifMatch } : { op, id, ...ifMatch }];
  });
}

const contentOf = ({ title, slug, friend }: Record<string, unknown>): Record<string, unknown> => ({
  title,
  slug,
  friend,
});

/** Returns the records as the service answers them. */
async function stored(client: Client): Promise<Map<string, unknown>> {
  const list = (status: string) =>
    client.call<Record<string, unknown>[]>("GET", `${POSTS}?limit=100&status=${status}`);
  const [drafts, published] = [(await list("draft")).data, (await list("published")).data];
  const shown = new Map(published.map((one) => [one["id"], contentOf(one)]));
  return new Map(
    drafts.map((one) => {
      const { id, version } = one;
      return [String(id), { version, draft: contentOf(one), published: shown.get(id) ?? null }];
    }),
  );
}

async function replay(client: Client, seed: number): Promise<Record<"done" | "refused" | "taken", number>> {
  const random = numbers(seed);
  const below = (limit: number): number => Math.floor(random.next().value * limit);
  const counts = { done: 0, refused: 0, taken: 0 };
  const gone: string[] = [];
  let state: State = new Map();
  for (let n = 0; n < 6; n++) {
    const draft = { ...EMPTY, title: `title ${n}`, slug: `slug ${n}` };
    state.set(await client.create("posts", draft), { version: 1, draft, published: null });
  }
  for (let round = 0; round < ROUNDS; round++) {
    const operations = randomOperations(below, state, gone);
    if (operations.length === 0) continue;
    const { faults, taken, state: after } = expected(state, operations);
    const reply = await client.call<{ id: string }[]>("POST", `${POSTS}/bulk`, { operations });
    const paths = (reply.error as typeof reply.error | undefined)?.details?.map(({ path }) => path) ?? [];
    const told = JSON.stringify({ operations, status: reply.status, paths });
    if (faults.length > 0) {
      counts.refused += 1;
      expect([told, paths]).toEqual([told, faults]);
    } else if (taken !== null) {
      counts.taken += 1;
      expect([told, reply.status, paths[0]]).toEqual([told, 409, `operations.${taken}.data.slug`]);
    } else {
      counts.done += 1;
      expect([told, reply.status]).toEqual([told, 200]);
      const ids = new Map(reply.data.map(({ id }, index) => [nameOfNew(index), id]));
      const made = [...after].map(([id, post]): [string, Post] => [ids.get(id) ?? id, post]);
      gone.push(...[...state.keys()].filter((id) => !after.has(id)));
      state = new Map(made);
    }
    expect(await stored(client)).toEqual(state);
  }
  return counts;
}

it(
  "does what its operations do one at a time, or nothing",
  async () => {
    for (const seed of SEEDS) {
      const counts = await replay(await makePosts(), seed);
      for (const count of Object.values(counts)) expect(count).toBeGreaterThan(ROUNDS / 20);
    }
    await expectConsistent();
  },
  MANY_REQUESTS_MS,
);
