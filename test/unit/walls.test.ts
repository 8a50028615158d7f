/**
 * The walls that keep a stranger's file away from storage, secrets and the network (RULES 10.5). `npm run check` holds the
 * imports of every room (.dependency-cruiser.mjs); here is what imports do not show.
 */
import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const read = (path: string): string => readFileSync(path, "utf8");
const sources = (folder: string): string[] => globSync(`${folder}/**/*.ts`).sort();

/** Returns a source without its comments: a comment may name what code may not use. */
const codeOf = (path: string): string => read(path).replace(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");

describe("the builder (RULES 10.5)", () => {
  it("has bindings for its font and its rooms, and none for storage, secrets or services", () => {
    const tables = [...read("src/builder/wrangler.toml").matchAll(/^\[+([\w.]+)\]+$/gm)].map(
      ([, name]) => name,
    );
    expect(tables).toEqual([
      "assets",
      "durable_objects.bindings",
      "migrations",
      "limits",
      "observability.logs",
    ]);
  });

  it("imports nothing of the edge", () => {
    const files = sources("src/builder");
    expect(files.length).toBeGreaterThan(100);
    const imports = (path: string): string[] =>
      [...codeOf(path).matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, from = ""]) => from);
    const outside = files.flatMap((path) =>
      imports(path)
        .filter((from) => /(?:^|\/)(?:edge|schema|client|console)\/|^(?:drizzle|hono)/.test(from))
        .map((from) => `${path}: ${from}`),
    );
    expect(outside).toEqual([]);
  });

  it("opens no connection", () => {
    // A type that names a function `fetch` is no call.
    const call = /(?<![.\w])(?:fetch|connect|WebSocket|EventSource)\s*\((?!\w+: )/;
    expect(sources("src/builder").filter((path) => call.test(codeOf(path)))).toEqual([]);
    expect(call.test('await fetch("https://example.com")')).toBe(true);
  });
});

describe("D1 and R2 (RULES 10.5)", () => {
  it("are used in edge/storage alone", () => {
    const users = sources("src/edge").filter(
      (path) =>
        !path.startsWith("src/edge/storage/") &&
        /\.prepare\(|\bDB\s*\.\s*\w+\(|\bBUCKET\s*\.\s*\w+\(/.test(codeOf(path)),
    );
    expect(users).toEqual([]);
  });
});
