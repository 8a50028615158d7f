/** The data that the console's first page reads before its scripts are there. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { askEarly, takeEarly } from "../../../src/console/session/early.ts";
import type { Role } from "../../../src/console/session/kept.ts";

const ORIGIN = "https://images.example.com";
const session = (role: Role = "write") => ({
  space: "demo",
  key: "secret",
  name: "Editor",
  role,
  member: null,
});
const at = (path: string): Location => new URL(ORIGIN + path) as unknown as Location;
const asked = vi.fn((address: string) => Promise.resolve(new Response(address)));

beforeEach(() => {
  vi.stubGlobal("window", {});
  vi.stubGlobal("fetch", asked);
});
afterEach(() => {
  asked.mockClear();
  vi.unstubAllGlobals();
});

const pathsOf = (path: string, role?: Role): string[] => {
  asked.mockClear();
  askEarly(session(role), at(path));
  return asked.mock.calls.map(([address]) => address.replace(`${ORIGIN}/api/v1/demo`, ""));
};

it("is what the address shows", () => {
  expect(pathsOf("/console/demo/media")).toEqual(["/media?limit=60&count=true"]);
  expect(pathsOf("/console/demo/media/01A/playground")).toEqual(["/media/01A"]);
  expect(pathsOf("/console/demo/content/collections/posts")).toEqual(["/models?limit=100"]);
  expect(pathsOf("/console/demo/content/collections/posts/new")).toEqual(["/models?limit=100"]);
  const posts = "/console/demo/content/collections/posts/01A";
  expect(pathsOf(posts)).toEqual(["/models?limit=100", "/data/collections/posts/01A?status=draft"]);
  expect(pathsOf(posts, "read")).toEqual(["/models?limit=100", "/data/collections/posts/01A"]);
  expect(pathsOf("/console/demo/content/pages/home")).toContain("/data/pages/home/home?status=draft");
});

it("is nothing for a search, another place, or another space", () => {
  for (const path of ["/console/demo/media?search=a", "/console/demo/keys", "/console/other/media"])
    expect(pathsOf(path)).toEqual([]);
});

it("is taken once, and by the key that it was asked with alone", async () => {
  askEarly(session(), at("/console/demo/media"));
  const address = `${ORIGIN}/api/v1/demo/media?limit=60&count=true`;
  const request = new Request(address);
  expect(takeEarly(request, "another")).toBeUndefined();
  expect(takeEarly(new Request(address, { method: "POST" }), "secret")).toBeUndefined();
  expect(await (await takeEarly(request, "secret"))?.text()).toBe(address);
  expect(takeEarly(request, "secret")).toBeUndefined();
});
