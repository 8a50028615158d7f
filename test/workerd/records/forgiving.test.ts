/** Refusals say how to ask. Forms that other tools send are taken where they can be. */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { makePosts, POSTS } from "../support/posts.ts";
import { request } from "../support/http.ts";

const PATCH_TYPE = { "Content-Type": "application/merge-patch+json" };

describe("the message of a fault", () => {
  it("says what would be right", async () => {
    const client = await makePosts();
    for (const [query, message] of [
      ["limit=0", "must be a whole number from 1 to 100"],
      ["limit=101", "must be a whole number from 1 to 100"],
      ["limit=1.5", "must be a whole number from 1 to 100"],
      ["filter[slug][eq][]=a", "takes one value; write it without []"],
      ["filter[or][0][slug][eq][]=a", "takes one value; write it without []"],
      ["filter[slug]=a", "must be written filter[field][operator], such as filter[slug][eq]"],
      ["filter[]=a", "must be written filter[field][operator]"],
      ["filter[slug][eq][x]=a", "must be written filter[field][operator]"],
      ["filter=a", "must be written filter[field][operator]=value"],
      ["filter[slug][eq]=a&filter[slug][eq]=b", "must be given at most once"],
    ]) {
      const { status, error } = await client.call("GET", `${POSTS}?${query}`);
      expect([query, status, error.details?.[0]?.message]).toEqual([query, 400, message]);
    }
    const media = await client.call("GET", "/media?filter[filename]=a");
    expect(media.error.details?.[0]?.message).toContain("such as filter[filename][eq]");
  });

  it("of a number tells a fraction from what a double does not hold", async () => {
    const client = await Client.make();
    await client.model("numbers", [{ name: "n", type: "number", integer: true }]);
    const faultOf = async (text: string) =>
      (await client.call("POST", "/data/collections/numbers", undefined, { text: `{"n": ${text}}` })).error
        .details?.[0]?.message;
    expect(await faultOf("1.5")).toBe("must be a whole number");
    expect(await faultOf("9007199254740992")).toContain("from -9007199254740991 to 9007199254740991");
  });

  it("of JSON that nests too deeply names its place, whatever numbers are in it", async () => {
    const client = await makePosts();
    for (const number of ["1", "12345678901234567890"]) {
      const deep = "[".repeat(20_000) + number + "]".repeat(20_000);
      const text = `{"title": "A", "extra": ${deep}}`;
      const { status, error } = await client.call("POST", POSTS, undefined, { text });
      expect([status, error.code, error.details]).toEqual([
        400,
        "VALIDATION_FAILED",
        [{ path: "extra", message: "must nest at most 64 deep" }],
      ]);
    }
  });
});

describe("a length", () => {
  it("is counted in code points, as labels and the API document count", async () => {
    const client = await Client.make();
    await client.model("texts", [
      { name: "s", type: "string", maxLength: 3 },
      { name: "t", type: "text", maxLength: 3 },
      { name: "long", type: "string" },
    ]);
    const path = "/data/collections/texts";
    const faces = "\u{1F600}".repeat(3);
    expect((await client.call("POST", path, { s: faces, t: faces })).status).toBe(201);
    const over = await client.call("POST", path, { s: `${faces}a`, t: `${faces}\u{1F600}` });
    expect(over.error.details?.map(({ message }) => message)).toEqual(
      Array(2).fill("must have at most 3 characters"),
    );
    const longest = "\u{1F600}".repeat(2_000);
    expect((await client.call("POST", path, { long: longest })).status).toBe(201);
    expect((await client.call("POST", path, { long: `${longest}a` })).status).toBe(400);
    const found = await client.call<object[]>(
      "GET",
      `${path}?filter[long][eq]=${encodeURIComponent(longest)}`,
    );
    expect(found.data).toHaveLength(1);
    const search = await client.call("GET", `${path}?filter[long][eq]=${encodeURIComponent(`${longest}a`)}`);
    expect(search.status).toBe(400);
  });
});

describe("a JSON Merge Patch", () => {
  it("is taken for a record, and merges what is in its json fields", async () => {
    const client = await makePosts();
    const id = await client.create("posts", {
      title: "A",
      body: "b",
      extra: { a: 1, b: { c: 2, d: 3 }, e: [1] },
    });
    const patch = { body: null, extra: { b: { c: null, x: { y: null, z: 1 } }, e: [2], f: null } };
    for (const method of ["PATCH", "PUT"]) {
      const { status, data } = await client.call(method, `${POSTS}/${id}`, patch, { headers: PATCH_TYPE });
      expect([method, status]).toEqual([method, 200]);
      expect(data).toMatchObject({ title: "A", body: null });
      expect(data["extra"]).toEqual({ a: 1, b: { d: 3, x: { z: 1 } }, e: [2] });
    }
    const plain = await client.call("PATCH", `${POSTS}/${id}`, { extra: { g: 1 } });
    expect(plain.data["extra"]).toEqual({ g: 1 });
    const cleared = await client.call("PATCH", `${POSTS}/${id}`, { extra: null }, { headers: PATCH_TYPE });
    expect(cleared.data["extra"]).toBeNull();
    const nested = await client.call("PATCH", `${POSTS}/${id}`, undefined, {
      headers: PATCH_TYPE,
      text: '{"extra": {"__proto__": {"a": 1}, "deep": {"b": null}}}',
    });
    expect(JSON.stringify(nested.data["extra"])).toBe('{"__proto__":{"a":1},"deep":{}}');
  });

  it("is refused where it is no record that is changed, and where it fits no field", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "A" });
    const patch = async (method: string, path: string, text: string) =>
      (await client.call(method, path, undefined, { headers: PATCH_TYPE, text })).status;
    expect(await patch("POST", POSTS, '{"title": "B"}')).toBe(415);
    expect(await patch("PUT", "/models/collections/posts", "{}")).toBe(415);
    expect(await patch("PATCH", `${POSTS}/${id}`, "[1]")).toBe(400);
    expect(await patch("PATCH", `${POSTS}/${id}`, '{"nope": {"a": 1}}')).toBe(400);
    const deep = `{"extra": ${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}}`;
    expect(await patch("PATCH", `${POSTS}/${id}`, deep)).toBe(400);
  });

  it("keeps both of two patches that meet", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "A", extra: {} });
    const names = ["a", "b", "c", "d"];
    await Promise.all(
      names.map((name) =>
        client.call("PATCH", `${POSTS}/${id}`, { extra: { [name]: 1 } }, { headers: PATCH_TYPE }),
      ),
    );
    const { data } = await client.call("GET", `${POSTS}/${id}`);
    expect(Object.keys(data["extra"] as object).sort()).toEqual(names);
  });
});

describe("a preflight", () => {
  it("allows the headers that libraries add", async () => {
    const asked = "authorization, traceparent, tracestate, x-requested-with";
    const headers = {
      Origin: "https://site.test",
      "Access-Control-Request-Method": "GET",
      "Access-Control-Request-Headers": asked,
    };
    const reply = await request("/api/v1/spaces", { method: "OPTIONS", headers });
    const allowed = (reply.headers.get("Access-Control-Allow-Headers") ?? "").toLowerCase().split(/,\s*/);
    expect(allowed).toEqual(expect.arrayContaining([...asked.split(", "), "*"]));
  });
});
