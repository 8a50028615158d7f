/** The package in the runtimes that it names, which must all make the same of one media object, and its command in Node 20. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { bearer, json, newSpace, upload, type Space } from "../../scripts/harness/api.ts";
import { photoJpeg } from "../support/pictures/draw.ts";
import { installApp, type App } from "./support/app.ts";

let app: App;
let inThisNode: unknown;
beforeAll(async () => {
  app = await installApp("runtimes");
  inThisNode = JSON.parse(await app.run("node", "program.mjs"));
});

describe("the package", () => {
  it("runs in the Node of this project", () => {
    expect(inThisNode).toMatchObject({
      client: { url: "https://content.example.com/api/v1/s/data/collections/posts/1" },
    });
  });

  it.each([
    ["Node 20", "./node", "program.mjs"],
    ["Deno", "deno", "run", "--quiet", "--allow-read", "program.mjs"],
    ["Bun", "bun", "run", "program.mjs"],
  ])("makes the same in %s", async (_, ...command) => {
    expect(JSON.parse(await app.run(...(command as [string])))).toEqual(inThisNode);
  });
});

const CONFIG = `import { defineModels } from "silverprint/config";
export default defineModels({
  models: [
    {
      typeModel: "collections",
      name: "posts",
      fields: [{ name: "title", type: "string" }, { name: "cover", type: "media" }],
    },
  ],
});
`;

describe("the command", () => {
  it("applies models in TypeScript, and copies a space with its pictures into another, in Node 20", async () => {
    const { service } = inject("frameworks");
    const [from, to] = [await newSpace(service), await newSpace(service)];
    const command = async <T>({ name, key }: Space, ...words: string[]): Promise<T> => {
      const place = ["--url", service.base, "--space", name, "--key", key, "--json"];
      return JSON.parse(await app.run("./node", "node_modules/.bin/silverprint", ...words, ...place)) as T;
    };
    writeFileSync(join(app.folder, "silverprint.config.ts"), CONFIG);
    expect(await command(from, "apply", "--yes")).toMatchObject({ changes: [{ action: "create" }] });
    expect(await command(from, "plan", "--check")).toMatchObject({ changes: [{ action: "none" }] });
    const { id } = await upload(from, await photoJpeg(64, 48), "cover.jpg");
    const headers = { ...bearer(from.key), "Content-Type": "application/json" };
    const body = JSON.stringify({ title: "First", cover: id });
    await json(await fetch(`${from.api}/data/collections/posts`, { method: "POST", headers, body }));

    await command(from, "export", "first");
    await command(to, "import", "first");
    await command(to, "export", "second");
    const lines = (folder: string): string =>
      readFileSync(join(app.folder, folder, "export.ndjson"), "utf8").replace(/"exportedAt":"[^"]+"/, "");
    expect(lines("first").split("\n").length).toBeGreaterThan(4);
    expect(lines("second")).toBe(lines("first"));
    expect(await command(to, "import", "first")).toMatchObject({ imported: 0, refused: [] });
  });
});
