/** The package as its users install it: by Node, without the Workers' sources, with types that resolve. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePackage } from "../../../scripts/package/write-package.ts";
import { ofRing } from "../../support/ring.ts";

/** The most bytes of the package without its program. */
const PACKED_MAX_BYTES = 200 * 1024;
/** The most bytes of the package with its program, which no page loads. */
const WHOLE_MAX_BYTES = 500 * 1024;

const home = mkdtempSync(join(tmpdir(), "silverprint-package-"));
const folder = join(home, "node_modules/silverprint");
let files: string[];
let server: Server;
let base: string;

beforeAll(async () => {
  mkdirSync(join(home, "node_modules"), { recursive: true });
  ({ files } = await writePackage(folder));
  for (const name of ["openapi-fetch", "openapi-typescript-helpers"]) {
    symlinkSync(join(process.cwd(), "node_modules", name), join(home, "node_modules", name));
  }
  server = createServer((request, response) => {
    response.setHeader("Content-Type", "application/json");
    response.end(
      JSON.stringify({ data: { id: "x", path: request.url, key: request.headers.authorization } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  rmSync(home, { recursive: true, force: true });
});

/** Runs a module in the folder of a program that has installed the package. */
function run(code: string): Promise<unknown> {
  const path = join(home, "program.mjs");
  writeFileSync(path, code);
  return new Promise((resolve, reject) => {
    void import("node:child_process").then(({ execFile }) =>
      execFile(process.execPath, [path], (error, stdout, stderr) =>
        error ? reject(new Error(stderr)) : resolve(JSON.parse(stdout)),
      ),
    );
  });
}

describe("the package", () => {
  it("is imported by Node and speaks to the service", async () => {
    const answer = await run(`import { createClient } from "silverprint/client";
      const client = createClient({ baseUrl: "${base}", space: "site", key: "k" });
      console.log(JSON.stringify(await client.collection("posts").get("x")));`);
    expect(answer).toEqual({ id: "x", path: "/api/v1/site/data/collections/posts/x", key: "Bearer k" });
  });

  it.each(["html", "next", "nuxt", "astro", "unpic"])(
    "has %s, which needs no package at all",
    async (entry) => {
      const media = { directUrl: "/api/v1/s/pictures/1/file?v=1", width: 400, height: 300 };
      const answer = await run(`import * as entry from "silverprint/${entry}";
      const media = ${JSON.stringify(media)};
      const url = entry.pictureUrl?.(media, { width: 300 })
        ?? entry.generate?.(media.directUrl, { width: 300 })
        ?? entry.getImage?.(media.directUrl, { modifiers: { width: 300 } }).url
        ?? entry.default.getURL?.({ src: media.directUrl, width: 300 })
        ?? entry.default({ src: media.directUrl, width: 300 });
      console.log(JSON.stringify(url));`);
      expect(answer).toBe("/api/v1/s/pictures/1/file?w=500&auto=format&v=1");
      expect(files).toContain(`${entry}.js`);
      expect(files).toContain(`types/client/${entry}.d.ts`);
    },
  );

  it("contains no sources of the Workers, and depends only on openapi-fetch", () => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      dependencies: object;
      version: string;
    };
    expect(Object.keys(manifest.dependencies)).toEqual(["openapi-fetch"]);
    expect(files.filter((name) => name.endsWith(".ts") && !name.endsWith(".d.ts"))).toEqual([]);
    const code = files
      .filter((name) => name.endsWith(".js"))
      .map((name) => readFileSync(join(folder, name), "utf8"));
    expect(code.length).toBeGreaterThan(0);
    expect(code.join("\n")).not.toMatch(/cloudflare:|drizzle|hono|leaseMs/);
  });

  const packedBytes = (cwd: string): number => {
    const packed = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd, encoding: "utf8" });
    const list = JSON.parse(packed) as { size: number }[] | Record<string, { size: number }>;
    return Object.values(list)[0]?.size ?? Number.POSITIVE_INFINITY;
  };

  it("is below 200 KB packed without its program, and below 500 KB with it", () => {
    expect(packedBytes(folder)).toBeLessThan(WHOLE_MAX_BYTES);
    const library = join(home, "library");
    cpSync(folder, library, { recursive: true });
    rmSync(join(library, "command"), { recursive: true });
    expect(packedBytes(library)).toBeLessThan(PACKED_MAX_BYTES);
  });

  it("has a program that runs by its name, with the licences of what is in it", () => {
    const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      bin: { silverprint: string };
    };
    const program = join(folder, bin.silverprint);
    expect(readFileSync(program, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    const help = execFileSync(process.execPath, [program, "types", "--help"], { encoding: "utf8" });
    expect(help).toContain("$ silverprint types");
    const failed = spawnSync(process.execPath, [program, "nothing"], { encoding: "utf8" });
    expect([failed.status, failed.stdout]).toEqual([1, ""]);
    const licences = readFileSync(join(folder, "command/LICENSES"), "utf8");
    for (const name of ["commander", "@clack/prompts", "picocolors", "zod"])
      expect(licences).toContain(`\n${name}\n`);
  });

  it.each(ofRing(["nodenext", "bundler"], 2))(
    "has types that resolve with moduleResolution %s",
    (resolution) => {
      const source = `import { createClient, type Media } from "silverprint/client";
      import { imgAttributes, pictureSources } from "silverprint/html";
      import { defineModels } from "silverprint/config";
      const fields = [{ name: "title", type: "string" as const, renamedFrom: "name" }, { name: "body", type: "richtext" as const }];
      export const document = defineModels({ models: [{ typeModel: "collections", name: "posts", fields }] });
      // @ts-expect-error: there is no such type of fields
      defineModels({ models: [{ typeModel: "pages", name: "home", fields: [{ name: "a", type: "none" }] }] });
      export const attributes = (media: Media): string | undefined => imgAttributes(media, { ratio: "16:9" }).srcset;
      // @ts-expect-error: a ratio is W:H
      export const wrong = (media: Media) => pictureSources(media, { ratio: "wide" });
      const client = createClient({ baseUrl: "", space: "s", key: "k" });
      export const width = async (): Promise<number> => {
        const { data } = await client.api.GET("/api/v1/{spaceName}/media/{mediaId}", {
          params: { path: { spaceName: "s", mediaId: "m" } },
        });
        const media: Media | undefined = data?.data;
        // @ts-expect-error: a media object has no such field
        void media?.nothing;
        return media?.width ?? 0;
      };`;
      writeFileSync(join(home, "consumer.mts"), source);
      const args = [
        "--noEmit",
        "--strict",
        "--skipDefaultLibCheck",
        "--target",
        "es2022",
        "--lib",
        "es2023,dom",
        "--ignoreConfig",
      ];
      const module = resolution === "nodenext" ? "nodenext" : "esnext";
      const run = spawnSync(
        process.execPath,
        [
          join(process.cwd(), "node_modules/typescript/bin/tsc"),
          ...args,
          ...["--module", module, "--moduleResolution", resolution],
          join(home, "consumer.mts"),
        ],
        { encoding: "utf8", cwd: home },
      );
      expect(run.stdout).toBe("");
      expect(run.status).toBe(0);
    },
  );
});
