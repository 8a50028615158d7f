/** Requests of the typed client: what it sends, what it refuses to send, and how it reads answers. */
import { describe, expect, it } from "vitest";
import { createClient, SilverprintError } from "../../../src/client/index.ts";

const OK = { data: [], meta: { nextCursor: null, limit: 25 } };

/** Makes a client, and keeps the requests that it has made. */
function clientOf(answer: () => Response = () => Response.json(OK)) {
  const requests: { method: string; path: string; query: string[]; body: string }[] = [];
  const client = createClient({
    baseUrl: "https://api.test",
    space: "blog",
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const query = [...searchParams].map(([name, value]) => `${name}=${value}`);
      requests.push({ method: request.method, path: pathname, query, body: await request.text() });
      return answer();
    },
  });
  return { client, posts: client.collection("posts"), requests };
}

/** Returns a value as it reaches the client from code without types. */
const untyped = (value: unknown): never => value as never;

describe("a filter", () => {
  it("is never left out: what cannot be asked throws, and nothing is sent", async () => {
    const { posts, requests } = clientOf();
    const filters: [unknown, string][] = [
      [{ n: { eq: null } }, "filter[n][eq] is null"],
      [{ n: { eq: undefined } }, "filter[n][eq] is undefined"],
      [{ n: undefined }, "filter[n] is undefined"],
      [{ n: null }, "filter[n] is null"],
      [null, "filter is null"],
      [{ n: {} }, "filter[n] needs at least one condition"],
      [{ n: { eq: new Map([["a", 1]]) } }, "filter[n][eq] needs at least one condition"],
      [{ n: { eq: Number.NaN } }, "filter[n][eq] is NaN"],
      [{ n: { gt: Infinity } }, "filter[n][gt] is Infinity"],
      [{ n: { eq: new Date("x") } }, "filter[n][eq] is a Date that holds no time"],
      [{ n: { eq: () => 1 } }, "filter[n][eq] is a function"],
      [{ n: { in: [null] } }, "filter[n][in][0] is null"],
      [{ n: { in: [1, undefined] } }, "filter[n][in][1] is undefined"],
      [{ n: { in: [] } }, "filter[n][in] needs at least one value"],
      [{ or: [] }, "filter[or] needs at least one value"],
      [{ or: [{ n: { eq: 1 } }, {}] }, "filter[or][1] needs at least one condition"],
      [{ or: [null] }, "filter[or][0] is null"],
    ];
    for (const [filter, message] of filters) {
      await expect(async () => posts.list({ filter: untyped(filter) })).rejects.toThrow(message);
      const all = async () => {
        for await (const post of posts.all({ filter: untyped(filter) })) expect(post).toBeUndefined();
      };
      await expect(all).rejects.toThrow(TypeError);
    }
    expect(requests).toEqual([]);
  });

  it("is sent as it is asked for", async () => {
    const { posts, requests } = clientOf();
    await posts.list({ filter: untyped({ n: { eq: 9007199254740993n, ne: 0 }, s: { in: ["a,b", false] } }) });
    await posts.list({ filter: untyped({ or: [{ n: { null: true } }, { at: { lt: new Date(0) } }] }) });
    await posts.list({ filter: {}, search: undefined as never });
    expect(requests.map(({ query }) => query)).toEqual([
      ["filter[n][eq]=9007199254740993", "filter[n][ne]=0", "filter[s][in][]=a,b", "filter[s][in][]=false"],
      ["filter[or][0][n][null]=true", "filter[or][1][at][lt]=1970-01-01T00:00:00.000Z"],
      [],
    ]);
  });
});

describe("lists of names", () => {
  it("are not sent when they are empty, and hold names alone", async () => {
    const { posts, requests } = clientOf();
    await posts.list({ sort: [], populate: [], selectFields: [] });
    await posts.list({ sort: ["-a", "b"] });
    expect(requests.map(({ query }) => query)).toEqual([[], ["sort=-a,b"]]);
    for (const sort of [[""], [undefined], ["a", null]]) {
      await expect(async () => posts.list({ sort: untyped(sort) })).rejects.toThrow("sort must list names");
    }
    await expect(async () => posts.list({ limit: Number.NaN })).rejects.toThrow("limit is NaN");
    await expect(async () => posts.list({ cursor: untyped(null) })).rejects.toThrow("cursor is null");
  });
});

describe("a write", () => {
  it("throws for what JSON would turn into null, or lose", async () => {
    const { posts, requests } = clientOf();
    const bodies: [unknown, string][] = [
      [{ n: Number.NaN }, '"n" is NaN'],
      [{ n: -Infinity }, '"n" is -Infinity'],
      [{ at: new Date("x") }, '"at" is a Date that holds no time'],
      [{ n: 1n }, '"n" is a bigint'],
      [{ f: () => 1 }, '"f" is a function'],
      [{ list: ["a", undefined] }, '"1" is undefined'],
      [{ json: { deep: [{ n: Number.NaN }] } }, '"n" is NaN'],
    ];
    for (const [body, message] of bodies) {
      await expect(async () => posts.create(untyped(body))).rejects.toThrow(message);
      await expect(async () => posts.update("ID", untyped(body))).rejects.toThrow(TypeError);
      await expect(async () => posts.bulk([{ op: "create", data: untyped(body) }])).rejects.toThrow(
        TypeError,
      );
    }
    expect(requests).toEqual([]);
    await posts.create(untyped({ at: new Date(0), left: undefined, none: null }));
    expect(requests[0]?.body).toBe('{"at":"1970-01-01T00:00:00.000Z","none":null}');
  });

  it("plans for a time, and takes back with null alone", async () => {
    const { posts, requests } = clientOf();
    await posts.publish("ID", { at: new Date(0) });
    await posts.unpublish("ID", { at: null });
    await posts.publish("ID");
    expect(requests.map(({ body }) => body)).toEqual([
      '{"at":"1970-01-01T00:00:00.000Z"}',
      '{"at":null}',
      "{}",
    ]);
    for (const at of [new Date("x"), Number.NaN, 0, {}]) {
      await expect(async () => posts.publish("ID", { at: untyped(at) })).rejects.toThrow(TypeError);
      await expect(async () => posts.unpublish("ID", { at: untyped(at) })).rejects.toThrow(TypeError);
    }
    for (const ifMatch of [Number.NaN, 0, 1.5, untyped("1")]) {
      await expect(async () => posts.delete("ID", { ifMatch })).rejects.toThrow(
        "A version is a whole number",
      );
      await expect(async () => posts.bulk([{ op: "delete", id: "ID", ifMatch }])).rejects.toThrow(TypeError);
    }
    expect(requests).toHaveLength(3);
  });
});

describe("an address", () => {
  it("leads nowhere but to what is named", async () => {
    const { client, posts, requests } = clientOf();
    for (const id of ["", ".", "..", untyped(undefined), untyped(null)]) {
      await expect(async () => posts.get(id)).rejects.toThrow("The id must be");
      await expect(async () => posts.delete(id)).rejects.toThrow(TypeError);
    }
    for (const name of ["../../keys", "", "..", "Posts", "a/b", "a?b", untyped(undefined)]) {
      expect(() => client.collection(name)).toThrow("is not the name of a model");
      expect(() => client.page(name)).toThrow(TypeError);
    }
    for (const space of ["", "..", untyped(undefined)]) {
      expect(() => createClient({ baseUrl: "https://api.test", space })).toThrow("The space must be");
    }
    for (const version of [0, 1.5, Number.NaN, untyped("1/restore")]) {
      await expect(async () => posts.version("ID", version)).rejects.toThrow(TypeError);
    }
    const file = new Blob(["x"]);
    const upload = async () => client.upload(file, { filename: "a.png", uploadId: "../keys/.." });
    await upload().catch(() => undefined);
    expect(requests.map(({ path }) => path)).toEqual(["/api/v1/blog/media/uploads/..%2Fkeys%2F.."]);
    await posts.get("a/../b?c");
    expect(requests[1]?.path).toBe("/api/v1/blog/data/collections/posts/a%2F..%2Fb%3Fc");
  });
});

describe("an answer", () => {
  it("that is cut off or not of the service throws, with a message", async () => {
    const answers = [
      () => new Response('{"data": {"id": "x"', { headers: { "Content-Type": "application/json" } }),
      () => new Response("<!doctype html><p>Sign in</p>", { headers: { "Content-Type": "text/html" } }),
      () => new Response(""),
      () => Response.json(null),
      () => Response.json([1]),
      () => Response.json({ ok: true }),
    ];
    for (const answer of answers) {
      const { posts } = clientOf(answer);
      for (const call of [() => posts.get("ID"), () => posts.list(), () => posts.create({})]) {
        const error = await (call as () => Promise<unknown>)().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(SilverprintError);
        expect(error).toMatchObject({ status: 200, code: "UNKNOWN" });
        expect((error as Error).message).toContain("Check `baseUrl`");
      }
    }
  });

  it("of 400 and above throws, whatever its body is", async () => {
    const answers = [
      () => new Response("<p>Bad gateway</p>", { status: 502 }),
      () => Response.json(null, { status: 502 }),
    ];
    for (const answer of answers) {
      await expect(clientOf(answer).posts.get("ID")).rejects.toMatchObject({
        status: 502,
        message: "The service answered 502.",
      });
    }
  });
});
