/** The name `__proto__`, which JavaScript gives a meaning: it is a name like any other, and told of where none is known. */
import { beforeAll, describe, expect, it } from "vitest";
import { Client, type Reply } from "../support/api.ts";

const POSTS = "/data/collections/posts";
const FIELDS = [
  { name: "slug", type: "string", unique: true },
  { name: "title", type: "string" },
  { name: "extra", type: "json" },
];

let client: Client;
let id: string;

const paths = (reply: Reply<unknown>): string[] => (reply.error.details ?? []).map(({ path }) => path);

const everything = async (): Promise<unknown> => (await client.call("GET", `${POSTS}?limit=100`)).data;

beforeAll(async () => {
  client = await Client.make();
  await client.model("posts", FIELDS);
  id = await client.create("posts", { title: "there" });
});

describe("a name that JavaScript gives a meaning", () => {
  const hidden = '{"__proto__":{"title":"x"}}';

  it("in the data of an operation is no field, as alone", async () => {
    const before = await everything();
    for (const operation of [
      `{"op":"create","data":${hidden}}`,
      `{"op":"update","id":"${id}","data":${hidden}}`,
    ]) {
      const text = `{"operations":[{"op":"create","data":{"title":"fine"}},${operation}]}`;
      const reply = await client.call("POST", `${POSTS}/bulk`, undefined, { text });
      expect([reply.status, paths(reply)]).toEqual([400, ["operations.1.data.__proto__"]]);
    }
    const alone = await client.call("POST", POSTS, undefined, { text: hidden });
    expect([alone.status, paths(alone)]).toEqual([400, ["__proto__"]]);
    expect(await everything()).toEqual(before);
  });

  it("is told of beside an operation, a body, a field and what is renamed", async () => {
    const fields = JSON.stringify(FIELDS);
    const bodies: [string, string, string, string][] = [
      [
        "POST",
        `${POSTS}/bulk`,
        `{"operations":[{"op":"delete","id":"${id}","__proto__":{}}]}`,
        "operations.0.__proto__",
      ],
      ["POST", `${POSTS}/bulk`, `{"operations":[{"op":"delete","id":"${id}"}],"__proto__":{}}`, "__proto__"],
      [
        "PUT",
        "/models/collections/posts",
        `{"fields":${fields},"rename":{"__proto__":"title"}}`,
        "rename.__proto__",
      ],
      [
        "PUT",
        "/models/collections/posts",
        `{"fields":${fields},"rename":{"slug":"title","__proto__":5}}`,
        "rename.__proto__",
      ],
      ["PUT", "/models/collections/posts", `{"fields":${fields},"__proto__":{}}`, "__proto__"],
      [
        "PUT",
        "/models/collections/posts",
        `{"fields":[{"name":"a","type":"string","__proto__":{}}]}`,
        "fields.0.__proto__",
      ],
      ["PATCH", "/settings", '{"__proto__":{}}', "__proto__"],
    ];
    for (const [method, path, text, place] of bodies) {
      const reply = await client.call(method, path, undefined, { text });
      expect([text, reply.status]).toEqual([text, 400]);
      expect([text, paths(reply)]).toEqual([text, expect.arrayContaining([place])]);
    }
  });

  it("in a query is not known", async () => {
    for (const query of [
      "__proto__=1",
      "filter[__proto__][eq]=1",
      "sort=__proto__",
      "selectFields=__proto__",
    ]) {
      expect([query, (await client.call("GET", `${POSTS}?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it("in a value of json is kept", async () => {
    const extra = '{"a":1,"__proto__":{"b":2}}';
    const bodies: [string, string][] = [
      [POSTS, `{"extra":${extra}}`],
      [`${POSTS}/bulk`, `{"operations":[{"op":"create","data":{"extra":${extra}}}]}`],
    ];
    for (const [path, text] of bodies) {
      const reply = await client.call<{ id: string } | { id: string }[]>("POST", path, undefined, { text });
      const made = [reply.data].flat()[0]?.id ?? "";
      const read = await client.call("GET", `${POSTS}/${made}`);
      expect(JSON.stringify(read.data["extra"])).toBe(extra);
    }
  });
});
