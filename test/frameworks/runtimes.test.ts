/** The package in the runtimes that it names. What they make of one media object must be one thing. */
import { beforeAll, describe, expect, it } from "vitest";
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
