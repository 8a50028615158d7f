/** The command line: words and exit codes, the place of service, space and key, and errors with their next step. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../../src/command/commands.ts";
import { answer, PLACE, runCommand } from "./support/world.ts";

const MODELS = {
  data: [{ typeModel: "collections", name: "posts", fields: [{ name: "title", type: "string" }] }],
  meta: { nextCursor: null, limit: 100 },
};

describe("help", () => {
  it("lists the commands, and the exit codes", async () => {
    for (const argv of [[], ["--help"], ["help"]]) {
      const { code, stdout } = await runCommand(argv);
      expect(code).toBe(0);
      for (const { name } of COMMANDS) expect(stdout).toContain(`  ${name} `);
      expect(stdout).toContain("2 a plan with changes");
    }
  });

  it.each(COMMANDS.map(({ name }) => name))("of %s has examples and the common options", async (name) => {
    const { code, stdout } = await runCommand([name, "--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`$ silverprint ${name}`);
    for (const option of ["--url", "--space", "--key", "--json"]) expect(stdout).toContain(option);
  });

  it("prints the version", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
    expect(await runCommand(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });
});

describe("a line that cannot be meant", () => {
  it("suggests the command, and says where the commands are listed", async () => {
    const { code, stdout, stderr } = await runCommand(["typse"]);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toContain("Did you mean types?");
    expect(stderr).toContain("Next: 'silverprint --help'");
  });

  it("is one JSON document with --json", async () => {
    const { code, stdout, stderr } = await runCommand(["types", "--json", "--nothing"]);
    expect([code, stderr]).toEqual([1, ""]);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        message: "Unknown option '--nothing'.",
        next: "'silverprint types --help' shows what there is.",
      },
    });
  });
});

describe("the service, the space and the key", () => {
  it("come from the environment, and options stand above it", async () => {
    const seen: string[] = [];
    const fetch = (request: Request): Promise<Response> => {
      seen.push(`${request.url} ${request.headers.get("Authorization") ?? ""}`);
      return Promise.resolve(answer(MODELS));
    };
    await runCommand(["types"], { fetch });
    await runCommand(["types", "--url", "https://other.test/", "--space", "b", "--key", "k"], { fetch });
    expect(seen).toEqual([
      "http://service.test/api/v1/site/models?limit=100 Bearer the-key",
      "https://other.test/api/v1/b/models?limit=100 Bearer k",
    ]);
  });

  it.each(["SILVERPRINT_URL", "SILVERPRINT_SPACE", "SILVERPRINT_KEY"])(
    "fail with the next step without %s",
    async (variable) => {
      const { code, stderr } = await runCommand(["types"], { env: { ...PLACE, [variable]: undefined } });
      expect(code).toBe(1);
      expect(stderr).toMatch(new RegExp(`Next: Give --\\w+, or set ${variable}\\.`));
    },
  );

  it("refuse an address that is none", async () => {
    const { code, stderr } = await runCommand(["types", "--url", "content.example.com"]);
    expect(code).toBe(1);
    expect(stderr).toContain("https://content.example.com");
  });
});

describe("an answer of the service", () => {
  it("of an error is told in its words, with details and the next step", async () => {
    const details = [{ path: "fields.0.name", message: "is given twice" }];
    const error = { code: "FORBIDDEN", message: "The key may not do this.", requestId: "r", details };
    const fetch = (): Promise<Response> => Promise.resolve(answer({ error }, 403));
    const { code, stderr } = await runCommand(["types"], { fetch });
    expect(code).toBe(1);
    expect(stderr).toBe(
      "Error: The key may not do this.\n  fields.0.name: is given twice\n" +
        "Next: Use a key with the role admin. Keys are made in the console under Keys.\n",
    );
    const { stdout } = await runCommand(["types", "--json"], { fetch });
    expect(JSON.parse(stdout)).toMatchObject({ error: { message: error.message, details } });
  });

  it("of a page that is not the service's says to check the address", async () => {
    const fetch = (): Promise<Response> => Promise.resolve(new Response("<html>", { status: 404 }));
    expect((await runCommand(["types"], { fetch })).stderr).toContain("Next: Check --url");
  });

  it("that never comes says so, with the reason", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const { code, stderr } = await runCommand(["types", "--url", `http://127.0.0.1:${port}`], {
      fetch: (request) => fetch(request),
    });
    expect(code).toBe(1);
    expect(stderr).toContain(`No service answers at http://127.0.0.1:${port} (ECONNREFUSED).`);
  });

  it("that says to wait is asked for again", async () => {
    let asked = 0;
    const slept: number[] = [];
    const busy = { error: { code: "RATE_LIMITED", message: "Too many requests.", requestId: "r" } };
    const fetch = (): Promise<Response> =>
      Promise.resolve(asked++ === 0 ? answer(busy, 429, { "Retry-After": "7" }) : answer(MODELS));
    const sleep = (ms: number): Promise<void> => Promise.resolve(void slept.push(ms));
    expect((await runCommand(["types"], { fetch, sleep })).code).toBe(0);
    expect([asked, slept]).toEqual([2, [7000]]);
  });
});

describe("silverprint types", () => {
  it("prints the types of all pages of models, or writes them to a file", async () => {
    const home = mkdtempSync(join(tmpdir(), "silverprint-command-"));
    const second = { data: [{ typeModel: "pages", name: "home", fields: [] }], meta: { nextCursor: null } };
    const fetch = (request: Request): Promise<Response> =>
      Promise.resolve(
        answer(
          request.url.includes("cursor=next")
            ? second
            : { ...MODELS, meta: { nextCursor: "next", limit: 100 } },
        ),
      );
    const printed = await runCommand(["types"], { fetch });
    expect(printed.code).toBe(0);
    expect(printed.stdout).toContain('"title": string | null;');
    expect(printed.stdout).toContain('"home"');
    const written = await runCommand(["types", "--out", "models.ts", "--json"], { fetch, cwd: home });
    expect(JSON.parse(written.stdout)).toEqual({ models: 2, file: join(home, "models.ts") });
    expect(readFileSync(join(home, "models.ts"), "utf8")).toBe(printed.stdout);
    rmSync(home, { recursive: true });
  });
});
