/** The flood ceiling of a local start: as many requests as the rate limits say, for each key and binding apart. */
import { convertV4MiniflareOptions, type V4WorkerOptions } from "miniflare";
import { expect, it } from "vitest";
import { withCountersInMemory } from "../../../../scripts/start/flood-counters.ts";
import { newRuntime } from "../../../../scripts/start/runtime.ts";

const SOURCE = `import { WorkerEntrypoint } from "cloudflare:workers";
export class Named extends WorkerEntrypoint { name() { return this.env.NAME; } }
export default {
  async fetch(request, env, context) {
    const [, binding, key] = new URL(request.url).pathname.split("/");
    const { success } = await env[binding].limit({ key });
    return Response.json({ success, name: await context.exports.Named.name() });
  },
  async scheduled(_controller, env) {
    await env.ONE.limit({ key: "planned" });
  },
};`;

const limited = (limit: number) => ({ namespace_id: String(limit), simple: { limit, period: 60 as const } });

const OPTIONS = {
  name: "counted",
  compatibilityDate: "2026-01-01",
  modules: [{ type: "ESModule", path: "index.js", contents: SOURCE }],
  bindings: { NAME: "index" },
  ratelimits: { FEW: limited(2), ONE: limited(1) },
  unsafeTriggerHandlers: true,
} as V4WorkerOptions;

/** Starts the Worker, and asks it for each path in turn. */
async function answersTo(paths: readonly string[]): Promise<string[]> {
  const runtime = newRuntime(convertV4MiniflareOptions(withCountersInMemory(OPTIONS)));
  try {
    const answers: string[] = [];
    for (const path of paths) {
      const response = await runtime.dispatchFetch(`http://localhost/${path}`);
      answers.push(await response.text());
    }
    return answers;
  } finally {
    await runtime.dispose();
  }
}

it("refuses what is over the limit of a key, and leaves the Worker as it is", async () => {
  const answers = await answersTo(["FEW/a", "FEW/a", "FEW/a", "FEW/b", "ONE/a", "ONE/a"]);
  const expected = [true, true, false, true, true, false];
  expect(answers).toEqual(expected.map((success) => JSON.stringify({ success, name: "index" })));
});

it("gives every handler of the Worker the same counters", async () => {
  const [ran, answer] = await answersTo(["cdn-cgi/local/scheduled", "ONE/planned"]);
  expect(ran).toBe("ok");
  expect(answer).toBe(JSON.stringify({ success: false, name: "index" }));
});
