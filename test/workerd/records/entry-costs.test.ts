/** What the one query costs that finds key, space, model and record: a row of each, and no more. */
import { beforeAll, expect, it } from "vitest";
import { hashKey } from "../../../src/edge/spaces/secrets.ts";
import type { Database } from "../../../src/edge/storage/database/database.ts";
import { readEntry, type EntryAddress } from "../../../src/edge/storage/spaces/entries.ts";
import type { Credential } from "../../../src/edge/storage/spaces/keys.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

let client: Client;
let key: Credential;
let id: string;
beforeAll(async () => {
  client = await Client.make();
  const names = ["a", "b", "c", "d", "e", "f", "g"];
  await client.model("things", [
    ...names.map((name) => ({ name, type: "string" })),
    { name: "other", type: "relation", to: "things" },
  ]);
  id = await client.create("things", { a: "x" });
  key = { kind: "key", hash: await hashKey(await client.key("read")) };
});

async function rowsRead(credential: Credential, more: Partial<EntryAddress>): Promise<number> {
  const asked: D1PreparedStatement[] = [];
  const prepare = (text: string) => ({
    bind: (...values: unknown[]) => {
      const statement = bindings.DB.prepare(text).bind(...values);
      asked.push(statement);
      return statement;
    },
  });
  const db = { $client: { prepare } } as unknown as Database;
  const address = { spaceName: client.space.name, typeModel: "collections", model: "things", ...more };
  expect((await readEntry(db, credential, address))?.model?.name).toBe("things");
  expect(asked).toHaveLength(1);
  return (await asked[0]?.all())?.meta.rows_read ?? -1;
}

it("reads three rows of a record for the root token, and one more for a key", async () => {
  const root: Credential = { kind: "root" };
  for (const content of ["draft", "published", "by role"] as const) {
    expect([content, await rowsRead(root, { id, content })]).toEqual([content, 3]);
    expect([content, await rowsRead(key, { id, content })]).toEqual([content, 4]);
  }
  expect(await rowsRead(root, {})).toBe(2);
  expect(await rowsRead(key, {})).toBe(3);
});

it("reads the fields of the model as well where filters go through relations", async () => {
  expect(await rowsRead(key, { relations: ["other"] })).toBeLessThan(25);
});
