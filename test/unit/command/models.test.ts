/** The commands of models as code: pull, plan and apply, with a service that the test answers for (RULES 3.35). */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answer, PLACE, runCommand, type Ran } from "./support/world.ts";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "silverprint models "));
});
afterEach(() => rmSync(home, { recursive: true }));

interface Asked {
  method: string;
  path: string;
  body: Record<string, unknown> | null;
}
type Answers = Record<string, unknown[]>;

/** Runs a command line in the folder of the test. Each route answers with the next of its answers, and then the last. */
async function runWith(argv: string[], answers: Answers = {}): Promise<Ran & { asked: Asked[] }> {
  const asked: Asked[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const path = pathname.replace("/api/v1/site", "");
    asked.push({
      method: request.method,
      path,
      body: text === "" ? null : (JSON.parse(text) as Asked["body"]),
    });
    const all = answers[`${request.method} ${path}`];
    if (!all) throw new Error(`${request.method} ${path} was not expected.`);
    return answer(all.length > 1 ? all.shift() : all[0]);
  };
  return { ...(await runCommand(argv, { cwd: home, fetch })), asked };
}

/**
 * Runs the program in a process of its own, since only there Node itself imports a config in TypeScript. The service
 * answers every request with an empty plan. @returns the body of the request, too
 */
async function runProcess(argv: string[]): Promise<{ body: Record<string, unknown>; stdout: string }> {
  let body: Record<string, unknown> = {};
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      body = JSON.parse(text) as typeof body;
      response.end(JSON.stringify(planned([])));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const env = { ...process.env, ...PLACE, SILVERPRINT_URL: `http://127.0.0.1:${port}` };
  const program = join(process.cwd(), "src/command/index.ts");
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...argv], { cwd: home, env });
    return { body, stdout };
  } finally {
    server.close();
  }
}

const write = (name: string, text: string): void => writeFileSync(join(home, name), text);
const read = (name: string): string => readFileSync(join(home, name), "utf8");

const entry = (model: string, action: string, parts: object = {}): object => ({
  ...{
    action,
    typeModel: "collections",
    model,
    added: [],
    removed: [],
    renamed: {},
    changed: [],
    options: [],
  },
  ...{ reordered: false, records: 0, inBackground: false },
  ...parts,
});
const planned = (changes: object[], conflicts: object[] = [], working: object[] = []): object => ({
  data: { hash: "abc", changes, conflicts, working },
});
const applied = (changes: object[], isComplete = true, working: object[] = []): object => ({
  data: { changes, isComplete, working },
});

const DOCUMENT = {
  models: [{ typeModel: "collections", name: "posts", fields: [{ name: "title", type: "string" }] }],
};
const CHANGE = entry("posts", "change", {
  ...{ added: ["subtitle"], removed: ["legacy"], renamed: { title: "headline" }, changed: ["body"] },
  ...{ options: ["label"], records: 12 },
});
const LOSS = {
  path: "posts.legacy",
  message: 'would be removed, and 3 records hold values; lose them by "posts.legacy" in allowDrop',
  loss: { name: "posts.legacy", fact: "would be removed, and 3 records hold values" },
};

describe("silverprint pull", () => {
  const model = (typeModel: string, name: string, parts: object = {}): object => ({
    ...{ typeModel, name, label: null, description: null, titleField: null, drafts: false, public: false },
    ...parts,
    ...{
      fields: [{ name: "title", type: "string" }],
      version: 3,
      createdAt: "2026-01-01",
      updatedAt: "2026-01-02",
    },
  });
  const some = [
    model("pages", "home"),
    model("collections", "b", { label: "B", drafts: true }),
    model("components", "z"),
    model("collections", "a"),
  ];
  const answers = (models: object[]): Answers => ({
    "GET /models": [{ data: models, meta: { nextCursor: null } }],
    "GET /settings": [{ data: { quality: 80, locales: [] } }],
  });

  it("writes the same bytes whatever the order in which the models were made", async () => {
    const { code, stderr } = await runWith(["pull"], answers(some));
    expect([code, stderr]).toEqual([
      0,
      `4 models are written to ${join(home, "silverprint.config.json")}.\n`,
    ]);
    const text = read("silverprint.config.json");
    const document = JSON.parse(text) as { models: { name: string }[] };
    expect(document.models.map(({ name }) => name)).toEqual(["z", "a", "b", "home"]);
    expect(document.models[2]).toEqual({
      ...{ typeModel: "collections", name: "b", label: "B", drafts: true },
      fields: [{ name: "title", type: "string" }],
    });
    const again = await runWith(["pull", "--json"], answers(some.toReversed()));
    expect(JSON.parse(again.stdout)).toMatchObject({ isChanged: false });
    expect(read("silverprint.config.json")).toBe(text);
  });

  it("writes TypeScript that plan reads again, and never overwrites it unasked", async () => {
    await runWith(["pull", "--out", "silverprint.config.ts"], answers(some));
    expect(read("silverprint.config.ts")).toMatch(/^import { defineModels } from "silverprint\/config";/);
    const { body } = await runProcess(["plan"]);
    expect(body).toMatchObject({ settings: { quality: 80 }, models: [{ name: "z" }, { name: "a" }, {}, {}] });
    const { code, stderr } = await runWith(["pull"], answers(some));
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining("Next: Name the file to write: --out silverprint.config.ts") as string,
    ]);
  });
});

describe("the document", () => {
  it("in TypeScript may import other files of the project", async () => {
    mkdirSync(join(home, "models"));
    write(
      "models/title.ts",
      'interface F { name: string }\nexport const title = { name: "title" as const, type: "string" } satisfies F & { type: string };',
    );
    write(
      "silverprint.config.ts",
      `import { defineModels } from "silverprint/config";
       import { title } from "./models/title";
       export default defineModels({ models: [{ typeModel: "pages", name: "home", fields: [title] }] });`,
    );
    const { body, stdout } = await runProcess(["plan"]);
    expect(stdout).toBe("Nothing would change.\n");
    expect(body["models"]).toEqual([
      { typeModel: "pages", name: "home", fields: [{ name: "title", type: "string" }] },
    ]);
  });

  it.each([
    ["is not there", {}, "Next: 'silverprint pull' writes one"],
    ["is no JSON", { "silverprint.config.json": "{" }, "Next: Mend the file."],
    ["has no models", { "silverprint.config.json": "{}" }, 'Next: Write it as {"models": [...]}.'],
    ["throws", { "silverprint.config.ts": 'throw new Error("broken");' }, "broken"],
    ["is there twice", { "silverprint.config.json": "{}", "silverprint.config.ts": "" }, "Next: Remove one"],
  ])("says the next step when it %s", async (_case, files, words) => {
    for (const [name, text] of Object.entries(files)) write(name, text);
    const { code, stderr } = await runWith(["plan"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining(words) as string]);
  });
});

describe("silverprint plan", () => {
  it("prints what would change and what stands against it", async () => {
    write("other.json", JSON.stringify(DOCUMENT));
    const answers = {
      "POST /models/plan": [planned([{ action: "change", settings: ["quality"] }, CHANGE], [LOSS])],
    };
    const { code, stdout, asked } = await runWith(["plan", "--config", "other.json"], answers);
    expect(code).toBe(0);
    expect(asked[0]?.body).toEqual({ ...DOCUMENT, allowDrop: [] });
    expect(stdout).toBe(
      `settings
  ~ quality
collections/posts (12 records)
  + subtitle
  - legacy
  > title → headline
  ~ body
  ~ options: label

Against it stands:
  posts.legacy ${LOSS.message}
Next: mend the document, or 'silverprint apply --allow-drop posts.legacy'.
`,
    );
  });

  it("exits with 2 for changes with --check alone, and prints the plan as JSON", async () => {
    write("silverprint.config.json", JSON.stringify(DOCUMENT));
    const changed = { "POST /models/plan": [planned([CHANGE])] };
    const same = { "POST /models/plan": [planned([entry("posts", "none")])] };
    expect((await runWith(["plan"], changed)).code).toBe(0);
    expect((await runWith(["plan", "--check"], changed)).code).toBe(2);
    const { code, stdout } = await runWith(["plan", "--check", "--json"], same);
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      (planned([entry("posts", "none")]) as { data: unknown }).data,
    ]);
  });
});

describe("silverprint apply", () => {
  beforeEach(() => write("silverprint.config.json", JSON.stringify(DOCUMENT)));

  it("applies the plan by its hash, with what may be lost", async () => {
    const { code, stdout, asked } = await runWith(
      ["apply", "--allow-drop", "posts.legacy", "--allow-drop", "@de"],
      {
        "POST /models/plan": [planned([CHANGE])],
        "POST /models/apply": [applied([CHANGE])],
      },
    );
    expect(code).toBe(0);
    expect(stdout).toContain("1 change made.");
    expect(asked[1]?.body).toEqual({ ...DOCUMENT, hash: "abc", allowDrop: ["posts.legacy", "@de"] });
  });

  it("changes nothing when something stands against it, and says the flags", async () => {
    const { code, stderr, asked } = await runWith(["apply"], {
      "POST /models/plan": [planned([CHANGE], [LOSS])],
    });
    expect([code, asked.length]).toEqual([1, 1]);
    expect(stderr).toContain("Next: Mend the document, or lose the values by --allow-drop posts.legacy.");
  });

  it("says the flags for values that came into the space since the plan", async () => {
    const fetch = (request: Request): Promise<Response> =>
      Promise.resolve(
        request.url.endsWith("/plan")
          ? answer(planned([CHANGE]))
          : answer({ error: { code: "CONFLICT", message: "1 record holds values.", details: [LOSS] } }, 409),
      );
    const { code, stderr } = await runCommand(["apply"], { cwd: home, fetch });
    expect(code).toBe(1);
    expect(stderr).toContain("Next: Lose the values by --allow-drop posts.legacy, or mend them.");
  });

  it("names the changes that were made before something stood against the rest", async () => {
    const { code, stderr } = await runWith(["apply"], {
      "POST /models/plan": [planned([CHANGE]), planned([CHANGE], [LOSS])],
      "POST /models/apply": [applied([CHANGE], false)],
    });
    expect(code).toBe(1);
    expect(stderr).toContain("1 change was made before:");
    expect(stderr).not.toContain("nothing was changed");
  });

  it("leaves the check of unknown members to the service, and keeps $schema to itself", async () => {
    write("silverprint.config.json", JSON.stringify({ $schema: "x", setings: {}, ...DOCUMENT }));
    const { asked } = await runWith(["apply"], {
      "POST /models/plan": [planned([CHANGE])],
      "POST /models/apply": [applied([CHANGE])],
    });
    const sent = { setings: {}, ...DOCUMENT, allowDrop: [] };
    expect(asked.map(({ body }) => body)).toEqual([sent, { ...sent, hash: "abc" }]);
  });

  it("sends nothing when nothing is to be changed", async () => {
    const { code, stdout, asked } = await runWith(["apply"], {
      "POST /models/plan": [planned([entry("posts", "none")])],
    });
    expect([code, stdout, asked.length]).toEqual([0, "Nothing to change.\n", 1]);
  });

  it("waits for changes in the background, of an earlier run too, and goes on until all is done", async () => {
    const working = [{ typeModel: "collections", model: "posts" }];
    const change = (state: string, checked: number): object => ({
      data: { state, checked, records: 200_000, conflicts: [] },
    });
    const { code, asked, stdout } = await runWith(["apply", "--json"], {
      "POST /models/plan": [
        planned([CHANGE], [], working),
        planned([CHANGE]),
        planned([entry("posts", "none")]),
      ],
      "POST /models/apply": [applied([CHANGE], false, working)],
      "GET /models/collections/posts/change": [
        change("working", 1000),
        change("done", 200_000),
        change("working", 5),
        change("done", 200_000),
      ],
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ changes: [CHANGE] });
    expect(asked.map(({ path }) => path.split("/").at(-1))).toEqual([
      ...["plan", "change", "change", "plan", "apply", "change", "change", "plan"],
    ]);
  });

  it("fails when a change in the background is refused, with the records that it names", async () => {
    const conflicts = [
      { path: "body", message: "does not fit 1 record: the value in record 01J is too long", records: 1 },
    ];
    const { code, stderr } = await runWith(["apply"], {
      "POST /models/plan": [planned([CHANGE])],
      "POST /models/apply": [applied([], false, [{ typeModel: "collections", model: "posts" }])],
      "GET /models/collections/posts/change": [
        { data: { state: "refused", checked: 3, records: 9, conflicts } },
      ],
    });
    expect(code).toBe(1);
    expect(stderr).toContain("body: does not fit 1 record");
  });
});
