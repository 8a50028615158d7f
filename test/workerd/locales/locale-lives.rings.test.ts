/**
 * The lives of records in several locales, against a model in memory: random writes alone and in bulks, restores of
 * locales and of all, publications now and planned, the trash and the way back, and fallbacks (RULES 3.31, 3.33).
 */
import { beforeAll, expect, it } from "vitest";
import { takeDueSteps } from "../../../src/edge/sweep/schedules.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { rounds } from "../../support/ring.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

const CODES = ["en", "de", "fr"] as const;
type Code = (typeof CODES)[number];
type ByCode<Value> = Record<Code, Value>;
type Step = "publish" | "unpublish";
const FALLBACKS: ByCode<Code | null> = { en: null, de: "en", fr: "de" };
const MINUTE_MS = 60_000;
const MODEL = "/data/collections/posts";

const byCode = <Value>(valueOf: (code: Code) => Value): ByCode<Value> => ({
  en: valueOf("en"),
  de: valueOf("de"),
  fr: valueOf("fr"),
});

/** Returns a locale and those that it borrows from, the nearest first. */
function chainOf(code: Code): Code[] {
  const next = FALLBACKS[code];
  return next === null ? [code] : [code, ...chainOf(next)];
}

/** Returns numbers below `n` that follow from the seed (xorshift). */
function randomOf(seed: number): (n: number) => number {
  let state = seed * 2_654_435_761 || 1;
  return (n) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % n;
  };
}

interface Content {
  title: ByCode<string | null>;
  rank: number;
}

/** Returns what a read with fallbacks shows of titles. */
function shownOf({ title }: Content, code: Code): { title: string | null; fallbacks: object } {
  const from = chainOf(code).find((one) => title[one] !== null);
  if (from === undefined) return { title: null, fallbacks: {} };
  return { title: title[from], fallbacks: from === code ? {} : { title: from } };
}

/** A record as a caller knows it who has noted every step. */
class Known {
  /** The contents by version. */
  readonly versions: Content[] = [{ title: byCode(() => null), rank: 0 }];
  readonly isChanged = byCode(() => false);
  readonly isPublished = byCode(() => false);
  readonly published: Content = { title: byCode(() => null), rank: 0 };
  readonly plans: Record<Step, ByCode<number | null>> = {
    publish: byCode(() => null),
    unpublish: byCode(() => null),
  };

  get draft(): Content {
    return this.versions.at(-1) as Content;
  }
  get isPublishedAnywhere(): boolean {
    return CODES.some((code) => this.isPublished[code]);
  }
  get statuses(): ByCode<string> {
    return byCode((code) =>
      this.isPublished[code] ? (this.isChanged[code] ? "changed" : "published") : "draft",
    );
  }

  change(change: (content: Content) => void): void {
    const before = this.draft;
    const after = structuredClone(before);
    change(after);
    const titles = CODES.filter((code) => before.title[code] !== after.title[code]);
    if (titles.length === 0 && before.rank === after.rank) return;
    this.versions.push(after);
    for (const code of titles) this.isChanged[code] = true;
    if (before.rank !== after.rank) this.isChanged.en = true;
  }

  /** Returns the locales that a step is for, where none are named. */
  implied(step: Step): Code[] {
    if (step === "unpublish") return CODES.filter((code) => this.isPublished[code]);
    return CODES.filter((code) => code === "en" || this.draft.title[code] !== null);
  }

  take(step: Step, codes: readonly Code[]): void {
    const plans = this.plans[step];
    if (step === "publish") {
      if (codes.includes("en") || !this.isPublishedAnywhere) this.published.rank = this.draft.rank;
      for (const code of codes) {
        this.isPublished[code] = true;
        this.isChanged[code] = false;
        this.published.title[code] = this.draft.title[code];
        plans[code] = null;
      }
      return;
    }
    const there = codes.filter((code) => this.isPublished[code]);
    for (const code of there.length > 0 ? there : codes) plans[code] = null;
    for (const code of there) {
      this.isPublished[code] = false;
      this.published.title[code] = null;
    }
  }

  /** Takes the planned steps up to a time, the earliest first. No two plans have the same time. */
  takeDue(until: number): void {
    const due = (["publish", "unpublish"] as const).flatMap((step) =>
      CODES.flatMap((code) => {
        const at = this.plans[step][code];
        return at !== null && at <= until ? [{ at, step, code }] : [];
      }),
    );
    for (const at of [...new Set(due.map((one) => one.at))].toSorted((a, b) => a - b)) {
      const now = due.filter((one) => one.at === at);
      const [first] = now;
      // The default locale has a plan of its own, whose turn comes first.
      for (const isDefault of [true, false]) {
        const codes = now.flatMap(({ code }) => ((code === "en") === isDefault ? [code] : []));
        if (first && codes.length > 0) this.take(first.step, codes);
        // A plan is over when its time has come, also where there was nothing to take back.
        if (first) for (const code of codes) this.plans[first.step][code] = null;
      }
    }
  }
}

let client: Client;
beforeAll(async () => {
  client = await Client.make();
  const locales = CODES.map((code) => ({ code, fallback: FALLBACKS[code] }));
  expect((await client.call("PATCH", "/settings", { locales })).status).toBe(200);
  const fields = [
    { name: "title", type: "string", localized: true },
    { name: "rank", type: "number" },
    { name: "key", type: "string" },
  ];
  const model = { typeModel: "collections", name: "posts", fields, drafts: true, public: true };
  expect((await client.call("POST", "/models", model)).status).toBe(201);
});

const ok = async (method: string, path: string, body?: object, at?: string): Promise<void> =>
  expect((await client.call(method, path, body)).status, at).toBe(200);

/** The times of plans, a minute apart. Each is given once, and none comes while the test runs. */
const START = Date.now() + 1_000_000 * MINUTE_MS;
let planned = 0;

/** Takes a random step, in the service and in memory. @param note called with words for it */
async function step(
  known: Known,
  id: string,
  random: (n: number) => number,
  note: (words: string) => string,
): Promise<void> {
  const path = `${MODEL}/${id}`;
  const code = CODES[random(3)] as Code;
  const some = CODES.filter(() => random(2) === 0);
  const named = some.length === 0 || random(3) === 0 ? undefined : some;
  const locales = named && { locales: named };
  const way: Step = random(5) < 3 ? "publish" : "unpublish";
  switch (random(9)) {
    case 0:
    case 1:
    case 2: {
      const title = random(4) === 0 ? null : `t${random(3)}`;
      const data = { title, ...(random(2) === 0 && { rank: random(4) }) };
      known.change((content) => {
        content.title[code] = title;
        if (data.rank !== undefined) content.rank = data.rank;
      });
      const at = note(`write ${code} ${JSON.stringify(data)}`);
      if (random(2) === 0) return ok("PUT", `${path}?locale=${code}`, data, at);
      return ok("POST", `${MODEL}/bulk?locale=${code}`, { operations: [{ op: "update", id, data }] }, at);
    }
    case 3: {
      const version = 1 + random(known.versions.length);
      const then = known.versions[version - 1] as Content;
      known.change((content) => {
        for (const one of named ?? CODES) content.title[one] = then.title[one];
        if (!named) content.rank = then.rank;
      });
      return ok(
        "POST",
        `${path}/versions/${version}/restore`,
        { ...locales },
        note(`restore ${version} ${String(named)}`),
      );
    }
    case 4:
    case 5: {
      known.take(way, named ?? known.implied(way));
      const at = note(`${way} ${String(named)}`);
      if (random(2) === 0) return ok("POST", `${path}/${way}`, { ...locales }, at);
      return ok("POST", `${MODEL}/bulk`, { operations: [{ op: way, id, ...locales }] }, at);
    }
    case 6: {
      const isCancelled = random(4) === 0;
      const time = isCancelled ? null : START + ++planned * MINUTE_MS;
      const codes =
        named ?? (isCancelled ? CODES.filter((one) => known.plans[way][one] !== null) : known.implied(way));
      for (const one of codes) known.plans[way][one] = time;
      const at = time === null ? null : new Date(time).toISOString();
      return ok("POST", `${path}/${way}`, { ...locales, at }, note(`plan to ${way} ${String(named)} ${at}`));
    }
    case 7: {
      const now = START + planned * MINUTE_MS;
      known.takeDue(now);
      note("plans are due");
      // A run takes one plan of a record after those of others, and leaves what follows to the next one.
      while ((await takeDueSteps(database(bindings.DB), now, () => undefined)) > 0);
      return;
    }
    default: {
      const at = note("trash and back");
      await ok("DELETE", path, undefined, at);
      expect((await client.visit(`${path}?locale=all`)).status, at).toBe(404);
      return ok("POST", `/trash/${id}/restore`, undefined, at);
    }
  }
}

/** Compares all that readers see of a record with the model. */
async function compare(known: Known, id: string, key: string, code: Code, at: string): Promise<void> {
  const path = `${MODEL}/${id}`;
  const draft = await client.call("GET", `${path}?status=draft&locale=all`);
  expect(draft.data, at).toMatchObject({
    ...known.draft,
    version: known.versions.length,
    statuses: known.statuses,
  });
  const own = await client.call("GET", `${path}?status=draft&locale=${code}&fallback=true`);
  const timeOf = (one: Step): string | null => {
    const time = known.plans[one][code];
    return time === null ? null : new Date(time).toISOString();
  };
  expect(own.data, at).toMatchObject({
    ...shownOf(known.draft, code),
    rank: known.draft.rank,
    publishAt: timeOf("publish"),
    unpublishAt: timeOf("unpublish"),
  });
  const whole = await client.visit(`${path}?locale=all`);
  expect(whole.status, at).toBe(known.isPublishedAnywhere ? 200 : 404);
  if (known.isPublishedAnywhere) expect(whole.data, at).toMatchObject({ ...known.published });
  for (const isFilled of [false, true]) {
    const query = `locale=${code}${isFilled ? "&fallback=true" : ""}`;
    const isSeen = (isFilled ? chainOf(code) : [code]).some((one) => known.isPublished[one]);
    const title = known.published.title[code];
    const shown = isFilled ? shownOf(known.published, code) : { title };
    const seen = await client.visit(`${path}?${query}`);
    expect(seen.status, `${at}, ${query}`).toBe(isSeen ? 200 : 404);
    if (isSeen) expect(seen.data, `${at}, ${query}`).toMatchObject({ ...shown, rank: known.published.rank });
    const listed = await client.visit<object[]>(`${MODEL}?${query}&filter[key][eq]=${key}`);
    expect(listed.data, `${at}, list of ${query}`).toEqual(
      isSeen ? [expect.objectContaining({ ...shown, rank: known.published.rank })] : [],
    );
  }
}

/** Sequences of one test, whose time limit has room for them on a busy machine. */
const PART = 50;
const PARTS = Array.from({ length: rounds(1, 5, 20) }, (_, part) => part * PART);

it.each(PARTS)("are those of a model in memory, after sequences of steps from %i on", async (first) => {
  for (let sequence = first + 1; sequence <= first + rounds(5, PART); sequence++) {
    const random = randomOf(sequence);
    const key = `k${sequence}`;
    const made = await client.call("POST", MODEL, { rank: 0, key });
    const id = String(made.data["id"]);
    const known = new Known();
    const steps: string[] = [];
    const at = (): string => `sequence ${sequence}: ${steps.join("; ")}`;
    for (let count = 0; count < 10; count++) {
      await step(known, id, random, (words) => {
        steps.push(words);
        return at();
      });
      await compare(known, id, key, CODES[random(3)] as Code, at());
    }
  }
});
