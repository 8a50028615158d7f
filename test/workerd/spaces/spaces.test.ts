/** The life of a space, through its names: making, listing, renaming and removing it. */
import { describe, expect, it } from "vitest";
import { call } from "../support/api.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { bindings, makeMedia } from "../support/rows.ts";
import { request, ROOT } from "../support/http.ts";

cleanBetweenTests();

interface SpaceView {
  id: string;
  name: string;
  tenantId: string | null;
  plan: { trashRetentionDays: number; historyDays: number };
}

const SPACES = "/api/v1/spaces";
const make = (body: object) => call<SpaceView>("POST", SPACES, body);

describe("a space (RULES 2.1)", () => {
  it("is made by the root token alone, with the plan that applies by default", async () => {
    const made = await make({ name: "first", tenantId: "tenant-one" });
    expect(made.status).toBe(201);
    expect(made.data).toMatchObject({
      name: "first",
      tenantId: "tenant-one",
      plan: { trashRetentionDays: 30, historyDays: 30 },
    });
    const admin = await call<{ key: string }>("POST", "/api/v1/first/keys", { name: "a", role: "admin" });
    expect((await call("POST", SPACES, { name: "second" }, { key: admin.data.key })).status).toBe(403);
    expect((await call("POST", SPACES, { name: "second" }, { key: null })).status).toBe(401);
    expect((await call("GET", SPACES, undefined, { key: admin.data.key })).status).toBe(403);
  });

  it("keeps every earlier name and its tenant id on the image endpoint, and no other space takes them", async () => {
    const { data } = await make({ name: "before", tenantId: "tenant-two" });
    const media = await makeMedia(data);
    expect((await call("PATCH", "/api/v1/before", { name: "after" })).status).toBe(200);
    for (const name of ["before", "after", "tenant-two"]) {
      const answer = await request(`/api/v1/${name}/pictures/${media.id}`);
      expect([name, answer.status]).toEqual([name, 302]);
      for (const body of [{ name }, { name: "another", tenantId: name }]) {
        const taken = await make(body);
        expect([name, taken.status, taken.error.code]).toEqual([name, 409, "CONFLICT"]);
      }
    }
    // On every other route, the present name alone leads to the space.
    expect((await call("GET", "/api/v1/before/usage")).status).toBe(404);
    expect((await call("GET", "/api/v1/after/usage")).status).toBe(200);
  });

  it("that is removed is 404 on every route", async () => {
    const { data } = await make({ name: "gone" });
    const media = await makeMedia(data);
    expect((await call("DELETE", "/api/v1/gone", { confirm: "another" })).status).toBe(400);
    expect((await call("DELETE", "/api/v1/gone", { confirm: "gone" })).status).toBe(200);
    expect((await call("GET", "/api/v1/gone/usage")).status).toBe(404);
    expect((await request(`/api/v1/gone/pictures/${media.id}`)).status).toBe(404);
    expect((await call<SpaceView[]>("GET", SPACES)).data).toEqual([]);
  });
});

describe("a name (RULES 1.1)", () => {
  it.each(["", "A", "1a", "-a", "a b", "a.b", "ä", "a".repeat(64), "spaces", "metrics"])(
    "is not %j",
    async (name) => {
      for (const body of [{ name }, { name: "fine", tenantId: name }])
        expect((await make(body)).status).toBe(400);
    },
  );

  it("is 1 to 63 characters, begins with a letter, and may have digits, - and _", async () => {
    for (const name of ["a", "a-1_b", "a".repeat(63)]) expect((await make({ name })).status).toBe(201);
  });
});

describe("an answer (RULES 1.2)", () => {
  it("is an object under data, or a list under data with meta, in UTC", async () => {
    for (const name of ["one", "two", "three"]) await make({ name });
    const first = await request(`${SPACES}?limit=2`, { headers: ROOT });
    expect(first.headers.get("Content-Type")).toMatch(/^application\/json/);
    const page = await first.json<{ data: { createdAt: string }[]; meta: { nextCursor: string } }>();
    expect(Object.keys(page)).toEqual(["data", "meta"]);
    expect(page.meta).toEqual({ nextCursor: expect.any(String) as string, limit: 2 });
    for (const { createdAt } of page.data) expect(createdAt).toBe(new Date(createdAt).toISOString());
    const last = await call<SpaceView[]>("GET", `${SPACES}?limit=2&cursor=${page.meta.nextCursor}`);
    expect(last.data.map(({ name }) => name)).toEqual(["one"]);
    expect(last.meta).toEqual({ nextCursor: null, limit: 2 });
    const made = await request(SPACES, {
      method: "POST",
      headers: { ...ROOT, "Content-Type": "application/json" },
      body: JSON.stringify({ name: "four" }),
    });
    expect(Object.keys(await made.json<object>())).toEqual(["data"]);
  });
});

describe("a key (RULES 1.4, 2.3)", () => {
  it("is shown once, when it is made, and stored as its SHA-256 alone", async () => {
    await make({ name: "keys" });
    const made = await call<{ id: string; key: string }>("POST", "/api/v1/keys/keys", {
      name: "site",
      role: "read",
    });
    const { id, key } = made.data;
    const listed = await call<object[]>("GET", "/api/v1/keys/keys");
    expect(listed.data).toHaveLength(1);
    expect(listed.data[0]).toMatchObject({ id, name: "site", role: "read" });
    expect(JSON.stringify(listed)).not.toContain(key);
    const stored = JSON.stringify(await bindings.DB.prepare("SELECT * FROM api_keys").all());
    expect(stored).not.toContain(key);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
    const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    expect(stored).toContain(hex);
  });
});
