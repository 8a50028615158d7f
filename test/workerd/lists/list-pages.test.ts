/** Pages of lists: the most that one page holds, and the items of all pages together (RULES 3.3). */
import { beforeAll, describe, expect, it } from "vitest";
import { Client, type Reply } from "../support/api.ts";

let client: Client;
beforeAll(async () => {
  client = await Client.make();
});

describe("a page of a list", () => {
  it("ends early at 8 MB, and the following pages have the rest", async () => {
    await client.model("large", [
      { name: "n", type: "number" },
      { name: "text", type: "text" },
    ]);
    for (let n = 0; n < 12; n++) await client.create("large", { n, text: "y".repeat(900_000) });
    const seen: number[] = [];
    let pages = 0;
    for (let cursor: string | null = ""; cursor !== null; pages++) {
      const query = `sort=n&limit=100${cursor && `&cursor=${cursor}`}`;
      const page: Reply<{ n: number }[]> = await client.call("GET", `/data/collections/large?${query}`);
      seen.push(...page.data.map(({ n }) => n));
      cursor = page.meta.nextCursor;
    }
    expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => n));
    expect(pages).toBe(2);
  });

  it("never misses or repeats a record while others are created and deleted", async () => {
    await client.model("moving", [{ name: "n", type: "number" }]);
    const ids: string[] = [];
    for (let n = 0; n < 20; n++) ids.push(await client.create("moving", { n: n % 4 }));
    const stay = new Set(ids.filter((_, index) => index % 3 !== 0));
    const seen: string[] = [];
    let doomed = ids.filter((id) => !stay.has(id));
    for (let cursor: string | null = ""; cursor !== null;) {
      const query = `sort=-n&limit=3${cursor && `&cursor=${cursor}`}`;
      const page: Reply<{ id: string }[]> = await client.call("GET", `/data/collections/moving?${query}`);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.meta.nextCursor;
      // The last record of the page is deleted too, unless it is one of those that stay.
      const last = page.data.at(-1)?.id;
      const goes = doomed.filter((id) => id === last).concat(doomed.slice(0, 1));
      doomed = doomed.filter((id) => !goes.includes(id));
      for (const id of new Set(goes)) await client.call("DELETE", `/data/collections/moving/${id}`);
      await client.create("moving", { n: 2 });
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect([...stay].filter((id) => !seen.includes(id))).toEqual([]);
  });
});
