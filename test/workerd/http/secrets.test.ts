/**
 * The secrets of the deployment: the ones that the first request refuses, and the little that a cursor tells visitors.
 */
import { expect, it } from "vitest";
import { checkEnv } from "../../../src/edge/config.ts";
import { openCursor } from "../../../src/edge/storage/pages/cursor.ts";
import { request, requestWith, ROOT } from "../support/http.ts";
import { bindings } from "../support/rows.ts";

const LONG = "x".repeat(32);
const SECRETS = ["ROOT_TOKEN", "CURSOR_SECRET"];

it("takes secrets of 32 characters", () => {
  expect(() => checkEnv({ ...bindings, ROOT_TOKEN: LONG, CURSOR_SECRET: LONG })).not.toThrow();
});

it.each(SECRETS)("refuses a %s of 31 characters, and names it", (name) => {
  expect(() => checkEnv({ ...bindings, [name]: LONG.slice(1) })).toThrow(
    `Too short, at least 32 characters are needed: ${name}.`,
  );
});

it("refuses a missing cursor secret: cursors never fall back to the root token (RULES 10.3)", () => {
  expect(() => checkEnv({ ...bindings, CURSOR_SECRET: "" })).toThrow(
    "Missing bindings or secrets: CURSOR_SECRET. See README, Deploy.",
  );
});

it("a cursor is sealed with the cursor secret, and the root token does not open it", async () => {
  for (const name of ["first-space", "second-space"]) {
    const init = { method: "POST", headers: { ...ROOT, "Content-Type": "application/json" } };
    await request("/api/v1/spaces", { ...init, body: JSON.stringify({ name }) });
  }
  const page = await request("/api/v1/spaces?limit=1", { headers: ROOT });
  const { meta } = await page.json<{ meta: { nextCursor: string } }>();
  const list = JSON.stringify(["spaces"]);
  await expect(openCursor(bindings.ROOT_TOKEN, list, meta.nextCursor)).rejects.toMatchObject({
    code: "INVALID_CURSOR",
  });
  expect(await openCursor(bindings.CURSOR_SECRET, list, meta.nextCursor)).toHaveLength(1);
});

it("a root token that was replaced is refused at once, by an isolate that has compared it before", async () => {
  const ask = async (ROOT_TOKEN: string, token: string): Promise<number> => {
    const headers = { Authorization: `Bearer ${token}` };
    return (await requestWith({ ROOT_TOKEN }, "/api/v1/spaces", { headers })).status;
  };
  const [before, after] = [bindings.ROOT_TOKEN, "another-root-token-of-enough-characters"];
  expect([await ask(before, before), await ask(before, after)]).toEqual([200, 401]);
  expect([await ask(after, before), await ask(after, after)]).toEqual([401, 200]);
  expect([await ask(before, before), await ask(before, after)]).toEqual([200, 401]);
});
