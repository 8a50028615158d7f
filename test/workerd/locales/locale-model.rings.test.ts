/** Random writes and reads over locales, against a model in memory: shared fields are one, fallbacks are never written. */
import { expect, it } from "vitest";
import { rounds } from "../../support/ring.ts";
import { Client } from "../support/api.ts";

const CODES = ["en", "de", "fr"] as const;
type Code = (typeof CODES)[number];
const FALLBACKS: Record<Code, Code | null> = { en: null, de: "en", fr: "de" };

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

interface Known {
  title: Record<Code, string | null>;
  rank: number | null;
}

const shownOf = ({ title }: Known, code: Code): { title: string | null; from: Code | null } => {
  if (title[code] !== null) return { title: title[code], from: null };
  for (let at = FALLBACKS[code]; at !== null; at = FALLBACKS[at]) {
    if (title[at] !== null) return { title: title[at], from: at };
  }
  return { title: null, from: null };
};

/** Sequences of one test, whose time limit has room for them on a busy machine. */
const PART = 50;

const PARTS = Array.from({ length: rounds(1, 5, 20) }, (_, part) => part * PART);

it.each(PARTS)(
  "holds what a model in memory holds, after sequences of writes and reads from %i on",
  async (first) => {
    const client = await Client.make();
    const locales = CODES.map((code) => ({ code, fallback: FALLBACKS[code] }));
    expect((await client.call("PATCH", "/settings", { locales })).status).toBe(200);
    await client.model("posts", [
      { name: "title", type: "string", localized: true },
      { name: "rank", type: "number" },
    ]);
    for (let sequence = first + 1; sequence <= first + rounds(8, PART); sequence++) {
      const random = randomOf(sequence);
      const made = await client.call("POST", "/data/collections/posts", {});
      const path = `/data/collections/posts/${String(made.data["id"])}`;
      const empty: Known = { title: { en: null, de: null, fr: null }, rank: null };
      const versions: Known[] = [empty];
      for (let step = 0; step < 6; step++) {
        const now = versions.at(-1) as Known;
        const code = CODES[random(3)] as Code;
        const text = random(4) === 0 ? null : `t${random(3)}`;
        const next = structuredClone(now);
        switch (random(3)) {
          case 0: {
            next.title[code] = text;
            await client.call("PUT", `${path}?locale=${code}`, { title: text });
            break;
          }
          case 1: {
            next.title[code] = text;
            next.rank = random(5);
            const body = { title: { [code]: text }, rank: next.rank };
            await client.call("PUT", `${path}?locale=all`, body);
            break;
          }
          default: {
            const version = 1 + random(versions.length);
            const then = versions[version - 1] as Known;
            next.title[code] = then.title[code];
            await client.call("POST", `${path}/versions/${version}/restore`, { locales: [code] });
          }
        }
        if (JSON.stringify(next) !== JSON.stringify(now)) versions.push(next);
        const known = versions.at(-1) as Known;
        const all = await client.call("GET", `${path}?locale=all`);
        expect(all.data, `sequence ${sequence}, step ${step}`).toMatchObject({
          ...known,
          version: versions.length,
        });
        const seen = shownOf(known, code);
        const one = await client.call("GET", `${path}?locale=${code}&fallback=true`);
        expect(one.data, `sequence ${sequence}, step ${step}`).toMatchObject({
          title: seen.title,
          rank: known.rank,
        });
        expect(one.data["fallbacks"]).toEqual(seen.from === null ? {} : { title: seen.from });
      }
    }
  },
);
