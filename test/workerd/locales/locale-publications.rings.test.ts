/** Random writes and publications by locale, against a model in memory of what readers see (RULES 3.33). */
import { expect, it } from "vitest";
import { rounds } from "../../support/ring.ts";
import { Client } from "../support/api.ts";

const CODES = ["en", "de", "fr"] as const;
type Code = (typeof CODES)[number];
type ByCode<Value> = Record<Code, Value>;

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

const byCode = <Value>(valueOf: (code: Code) => Value): ByCode<Value> => ({
  en: valueOf("en"),
  de: valueOf("de"),
  fr: valueOf("fr"),
});

interface Content {
  title: ByCode<string | null>;
  rank: number;
}

/** A record as a caller knows it who has noted every step. */
class Known {
  version = 1;
  readonly draft: Content = { title: byCode(() => null), rank: 0 };
  /** The locales that differ from their publication, as far as they are published. */
  readonly isChanged = byCode(() => false);
  readonly isPublished = byCode(() => false);
  published: Content = { title: byCode(() => null), rank: 0 };

  get isPublishedAnywhere(): boolean {
    return CODES.some((code) => this.isPublished[code]);
  }

  /** Writes a title in one locale, and the shared rank if one is given. */
  write(code: Code, title: string | null, rank?: number): void {
    const isTitleChanged = this.draft.title[code] !== title;
    const isRankChanged = rank !== undefined && rank !== this.draft.rank;
    if (!isTitleChanged && !isRankChanged) return;
    this.version += 1;
    this.draft.title[code] = title;
    if (rank !== undefined) this.draft.rank = rank;
    if (isTitleChanged) this.isChanged[code] = true;
    if (isRankChanged) this.isChanged.en = true;
  }

  publish(named: readonly Code[] | undefined): void {
    const codes = named ?? CODES.filter((code) => code === "en" || this.draft.title[code] !== null);
    if (codes.includes("en") || !this.isPublishedAnywhere) this.published.rank = this.draft.rank;
    for (const code of codes) {
      this.isPublished[code] = true;
      this.isChanged[code] = false;
      this.published.title[code] = this.draft.title[code];
    }
  }

  unpublish(named: readonly Code[] | undefined): void {
    for (const code of named ?? CODES) {
      this.isPublished[code] = false;
      this.published.title[code] = null;
    }
  }

  get statuses(): ByCode<string> {
    return byCode((code) => {
      if (!this.isPublished[code]) return "draft";
      return this.isChanged[code] ? "changed" : "published";
    });
  }
}

it("shows readers what was published of each locale, after any sequence of writes and publications", async () => {
  const client = await Client.make();
  await client.call("PATCH", "/settings", { locales: CODES.map((code) => ({ code })) });
  const fields = [
    { name: "title", type: "string", localized: true, searchable: true },
    { name: "rank", type: "number" },
    { name: "key", type: "string" },
  ];
  const model = { typeModel: "collections", name: "posts", fields, drafts: true, public: true };
  expect((await client.call("POST", "/models", model)).status).toBe(201);
  const all = "/data/collections/posts";

  for (let sequence = 1; sequence <= rounds(4, 100, 300); sequence++) {
    const random = randomOf(sequence);
    const key = `k${sequence}`;
    const made = await client.call("POST", all, { rank: 0, key });
    const path = `${all}/${String(made.data["id"])}`;
    const known = new Known();
    const steps: string[] = [];
    for (let step = 0; step < 8; step++) {
      const code = CODES[random(3)] as Code;
      const named = random(3) === 0 ? undefined : CODES.filter(() => random(2) === 0);
      const body = named && named.length > 0 ? { locales: named } : {};
      const asked = named && named.length > 0 ? named : undefined;
      const kind = random(5);
      steps.push(`${kind} ${code} ${JSON.stringify(body)}`);
      const at = `sequence ${sequence}: ${steps.join("; ")}`;
      if (kind < 3) {
        const title = random(4) === 0 ? null : `t${random(3)}`;
        const rank = kind === 2 ? random(4) : undefined;
        known.write(code, title, rank);
        const sent = { title, ...(rank !== undefined && { rank }) };
        expect((await client.call("PUT", `${path}?locale=${code}`, sent)).status, at).toBe(200);
      } else {
        const name = kind === 3 ? "publish" : "unpublish";
        if (kind === 3) known.publish(asked);
        else known.unpublish(asked);
        expect((await client.call("POST", `${path}/${name}`, body)).status, at).toBe(200);
      }

      const draft = await client.call("GET", `${path}?status=draft&locale=all`);
      expect(draft.data, at).toMatchObject({
        ...known.draft,
        version: known.version,
        statuses: known.statuses,
      });
      const whole = await client.visit(`${path}?locale=all`);
      expect(whole.status, at).toBe(known.isPublishedAnywhere ? 200 : 404);
      if (known.isPublishedAnywhere) expect(whole.data, at).toMatchObject({ ...known.published });
      for (const one of CODES) {
        const seen = await client.visit(`${path}?locale=${one}`);
        expect(seen.status, `${at}, in ${one}`).toBe(known.isPublished[one] ? 200 : 404);
        const shown = { title: known.published.title[one], rank: known.published.rank };
        if (known.isPublished[one]) expect(seen.data, `${at}, in ${one}`).toMatchObject(shown);
        const listed = await client.visit<Record<string, unknown>[]>(
          `${all}?locale=${one}&filter[key][eq]=${key}&sort=title`,
        );
        const rows = listed.data.map(({ title, rank }) => ({ title, rank }));
        expect(rows, `${at}, list in ${one}`).toEqual(known.isPublished[one] ? [shown] : []);
      }
    }
  }
});
