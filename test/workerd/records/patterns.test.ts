/** Patterns that take long (RULES 3.19): refused in a write, and looked at in slices by a change of a model. */
import { afterEach, describe, expect, it } from "vitest";
import { database } from "../../../src/edge/storage/database/database.ts";
import { modelChangesToDo } from "../../../src/edge/storage/models/background-changes.ts";
import { takeSlice } from "../../../src/edge/models/change/4-work-in-background.ts";
import { PATTERN } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

const LIMITS = PATTERN as { stepsMax: number };
const { stepsMax } = LIMITS;
afterEach(() => {
  LIMITS.stepsMax = stepsMax;
});

const FIELDS = 20;
const RECORDS = 90;
const MANY_STATES = `[${"Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi"
  .split(" ")
  .map((name) => `\\p{${name}}`)
  .join("")}]{490}\\u0001`;
const LONG = "a".repeat(2000);
const names = Array.from({ length: FIELDS }, (_, n) => `f${n}`);
const fields = (pattern?: string): object[] =>
  names.map((name) => ({ name, type: "string", ...(pattern !== undefined && { pattern }) }));
/** A pattern for the first field alone, of few steps. */
const SIMPLE = [{ name: "f0", type: "string", pattern: "^[a-c]+$" }, ...fields().slice(1)];
/** As many as some records take. */
const FEW_STEPS = 60;
const filled = Object.fromEntries(names.map((name) => [name, LONG]));

const MODEL = "/models/collections/texts";
const TEXTS = "/data/collections/texts";

describe("a write", () => {
  it("is refused where its patterns take too many steps, and names the fields", async () => {
    const client = await Client.make();
    await client.model("texts", fields(MANY_STATES));
    const { status, error } = await client.call("POST", TEXTS, filled);
    expect([status, error.code]).toEqual([400, "VALIDATION_FAILED"]);
    const long = (error.details ?? []).filter(({ message }) => message.includes("too many steps"));
    // The first values are compared within the budget, and do not match.
    expect(long.length).toBeGreaterThan(FIELDS / 2);
    expect(long.map(({ path }) => path)).toContain("f19");
  });

  it("has one budget for all operations of a bulk", async () => {
    const client = await Client.make();
    await client.model("texts", fields(MANY_STATES));
    const operations = Array.from({ length: 100 }, () => ({ op: "create", data: { f0: LONG } }));
    const { status, error } = await client.call("POST", `${TEXTS}/bulk`, { operations });
    expect(status).toBe(400);
    const long = (error.details ?? []).filter(({ message }) => message.includes("too many steps"));
    expect(long.length).toBeGreaterThan(80);
  });
});

describe("a change of a model", () => {
  const db = database(bindings.DB);
  const slice = async (): Promise<void> => {
    const [due] = await modelChangesToDo(db, 1);
    if (due) await takeSlice(db, due, Date.now());
  };
  const state = async (client: Client) =>
    (await client.call<{ state: string; checked: number }>("GET", `${MODEL}/change`)).data;

  async function withRecords(values: object): Promise<Client> {
    const client = await Client.make();
    await client.model("texts", fields());
    const operations = Array.from({ length: RECORDS }, () => ({ op: "create", data: values }));
    await client.call("POST", `${TEXTS}/bulk`, { operations });
    return client;
  }

  it("names the field of a record whose values take too many steps, without looking at the others", async () => {
    const client = await withRecords({ f0: "" });
    const id = await client.create("texts", { ...filled });
    // It comes first: records are looked at in the order of their ids.
    await bindings.DB.prepare("UPDATE records SET id = '0' WHERE id = ?").bind(id).run();
    const { status, error } = await client.call("PUT", MODEL, { fields: fields(MANY_STATES) });
    expect([status, error.code]).toEqual([409, "CONFLICT"]);
    expect(error.message).toContain("record 0");
  });

  it("goes on in the background when the records take longer together than a request may", async () => {
    const client = await withRecords({ f0: "abc", f1: "abc" });
    LIMITS.stepsMax = FEW_STEPS;
    const asked = await client.call<{ state: string }>("PUT", MODEL, { fields: SIMPLE });
    expect([asked.status, asked.data.state]).toEqual([202, "working"]);
    await slice();
    const first = await state(client);
    expect(first.state).toBe("working");
    expect(first.checked).toBeGreaterThan(0);
    expect(first.checked).toBeLessThan(RECORDS / 2);
    const bad = await client.call("PUT", `${TEXTS}/${await client.create("texts", {})}`, { f0: "x" });
    expect(bad.status).toBe(200);
    await client.call("PUT", `${TEXTS}/${String(bad.data["id"])}`, { f0: "a" });
    for (let n = 0; n < RECORDS && (await state(client)).state === "working"; n++) await slice();
    expect(await state(client)).toMatchObject({ state: "done" });
    expect((await client.call("POST", TEXTS, { f0: "xyz" })).status).toBe(400);
  });

  it("is refused in the background by the first record that does not fit", async () => {
    const client = await withRecords({ f0: "abc", f1: "abc" });
    const id = await client.create("texts", { f0: "xyz" });
    await bindings.DB.prepare("UPDATE records SET id = 'Z' WHERE id = ?").bind(id).run();
    LIMITS.stepsMax = FEW_STEPS;
    expect((await client.call("PUT", MODEL, { fields: SIMPLE })).status).toBe(202);
    for (let n = 0; n < RECORDS && (await state(client)).state === "working"; n++) await slice();
    const ended = await client.call<{ state: string; conflicts: { path: string; message: string }[] }>(
      "GET",
      `${MODEL}/change`,
    );
    expect(ended.data.state).toBe("refused");
    expect(ended.data.conflicts[0]?.message).toContain("record Z");
  });
});
