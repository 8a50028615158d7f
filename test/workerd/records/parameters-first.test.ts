/** Faults of a request are told before a missing record. Times and addresses have the forms that they have elsewhere. */
import { describe, expect, it } from "vitest";
import { Client } from "../support/api.ts";
import { makePosts, POSTS, publish } from "../support/drafts.ts";

const NEVER = "01AAAAAAAAAAAAAAAAAAAAAAAA";

describe("a parameter that is wrong", () => {
  it("is 400 before any look-up of a model, a record or a version", async () => {
    const client = await makePosts();
    const paths: [string, string][] = [
      ["GET", `${POSTS}/${NEVER}?status=nope`],
      ["GET", `${POSTS}/${NEVER}?nope=1`],
      ["GET", "/data/collections/nothing?limit=0"],
      ["GET", `/data/collections/nothing/${NEVER}?status=`],
      ["GET", `${POSTS}/${NEVER}/versions?limit=0`],
      ["GET", `${POSTS}/${NEVER}/versions/0?nope=1`],
      ["GET", `${POSTS}/${NEVER}/references?limit=0`],
      ["GET", "/models/collections/nothing?nope=1"],
      ["POST", "/data/collections/nothing?nope=1"],
      ["PUT", `${POSTS}/${NEVER}?nope=1`],
      ["PATCH", `${POSTS}/${NEVER}?nope=1`],
      ["DELETE", `${POSTS}/${NEVER}?ifUnreferenced=maybe`],
      ["POST", `${POSTS}/${NEVER}/publish?nope=1`],
      ["POST", `${POSTS}/${NEVER}/versions/1/restore?nope=1`],
      ["POST", "/data/collections/nothing/bulk?nope=1"],
      ["DELETE", "/models/collections/nothing?nope=1"],
    ];
    for (const [method, path] of paths) {
      const { status, error } = await client.call(method, path, method === "GET" ? undefined : {});
      expect([method, path, status, error.code]).toEqual([method, path, 400, "INVALID_PARAMETER"]);
    }
  });

  it("is told to nobody who may not ask", async () => {
    const client = await makePosts();
    const path = `${POSTS}/${NEVER}?status=nope`;
    const as = async (key: string | null) => (await client.call("GET", path, undefined, { key })).status;
    expect(await as(null)).toBe(401);
    expect(await as("sp_unknown")).toBe(401);
    expect(await as(await (await Client.make()).key("admin"))).toBe(404);
    expect(await as(await client.key("read"))).toBe(400);
  });
});

describe("the time of a plan", () => {
  it("is taken in the forms that a field takes, and no other", async () => {
    const client = await makePosts();
    const id = await client.create("posts", { title: "a" });
    for (const [at, publishAt] of [
      ["2999-01-01T09:00Z", "2999-01-01T09:00:00.000Z"],
      ["2999-01-01T09:00+02:00", "2999-01-01T07:00:00.000Z"],
      ["2999-01-01T09:00:00.123456789Z", "2999-01-01T09:00:00.123Z"],
    ]) {
      expect([at, (await publish(client, id, { at })).data["publishAt"]]).toEqual([at, publishAt]);
    }
    for (const at of [
      "9999-12-31T23:59:59-23:59",
      "0000-01-01T00:00:00+23:59",
      "2999-02-30T00:00:00Z",
      "2999-01-01T24:00:00Z",
      "2999-01-01T09:00:00",
      "2999-01-01",
      "soon",
      "",
    ]) {
      const { status, error } = await publish(client, id, { at });
      expect([at, status, error.details?.[0]?.path]).toEqual([at, 400, "at"]);
    }
  });
});

describe("the Location of a new record", () => {
  it("is the address at which its maker finds it", async () => {
    const client = await makePosts();
    await client.model("plain", [{ name: "a", type: "string" }]);
    const key = await client.key("write");
    for (const model of ["posts", "plain"]) {
      const made = await client.call(
        "POST",
        `/data/collections/${model}`,
        model === "posts" ? { title: "a" } : {},
        {
          key,
        },
      );
      const { pathname, search } = new URL(made.headers.get("Location") ?? "");
      const path = pathname.slice(`/api/v1/${client.space.name}`.length) + search;
      const found = await client.call("GET", path, undefined, { key });
      expect([model, found.status, found.data]).toEqual([model, 200, made.data]);
    }
  });
});
