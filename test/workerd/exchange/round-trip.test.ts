/** A space is exported and imported, and is the same (RULES 18.1, 18.2, 18.3, 18.4 and 18.6). */
import { describe, expect, it } from "vitest";
import { START, type Place } from "../../../src/edge/exchange/lines/place.ts";
import { pageLines } from "../../../src/edge/exchange/page.ts";
import { database } from "../../../src/edge/storage/database/database.ts";
import { readSpaceById } from "../../../src/edge/storage/spaces/spaces.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { copied, exported, imported, masterOf, timeless } from "../support/exchange.ts";
import { makeVaried } from "../support/exchange-space.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

describe("an export in pages (RULES 18.1)", () => {
  it("has each line once and in the same order, wherever its pages end", async () => {
    const { space: given } = await makeVaried();
    const db = database(bindings.DB);
    const space = await readSpaceById(db, given.id);
    if (!space) throw new Error("no space");
    const inPagesOf = async (size: number): Promise<string[]> => {
      const lines: string[] = [];
      for (let from: Place | null = START; from;) {
        let [next, left]: [Place | null, number] = [null, size];
        const cursorOf = (place: Place): Promise<string> => {
          next = JSON.parse(JSON.stringify(place)) as Place;
          return Promise.resolve("next");
        };
        const page = { cursorOf, changed: () => Promise.resolve([]), goesOn: () => --left > 0 };
        for await (const bytes of pageLines({ db, space, startedAt: 0, from, ...page })) {
          const line = new TextDecoder().decode(bytes).trimEnd();
          if (!line.startsWith('{"kind":"end"')) lines.push(line);
        }
        from = next;
      }
      return lines;
    };
    const whole = await inPagesOf(1000);
    for (const size of [1, 3, 7]) expect(await inPagesOf(size)).toEqual(whole);
  });
});

describe("an export of an import (RULES 18.4)", () => {
  it("is the same file, byte for byte but for the time, and a second import changes nothing", async () => {
    const from = await makeVaried();
    const whole = await exported(from);
    expect(whole.end.changed).toEqual([]);
    const to = await Client.make();
    await copied(from, to, whole.lines);
    const again = await exported(to);
    expect(timeless(again.lines)).toEqual(timeless(whole.lines));
    const repeated = await imported(to, whole.lines);
    expect(repeated).toEqual({ imported: 0, unchanged: whole.lines.length, refused: [], waiting: [] });
    // The earlier file of a replaced one, of 200 bytes, is kept for its retention and not exported.
    const usage = async (client: Client): Promise<unknown> => {
      const { media, records } = (await client.call("GET", "/usage")).data;
      return { media, records };
    };
    expect(await usage(to)).toEqual(await usage(from));
    for (const line of whole.lines) {
      const { kind, id, masterVersion } = JSON.parse(line) as {
        kind: string;
        id: string;
        masterVersion: number;
      };
      if (kind === "media")
        expect(await masterOf(to, id, masterVersion)).toEqual(await masterOf(from, id, masterVersion));
    }
  });
});
