/** The promise that tests rely on: work that one test has started does not reach into the next. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, test } from "vitest";
import { clean, cleanBetweenTests, hastyVisitors } from "../support/clean.ts";
import { busy, builder } from "../support/builder/fake-builder.ts";
import { picture } from "../support/http.ts";
import { objectOf } from "../support/queue.ts";
import { makeMedia, makeSpace } from "../support/rows.ts";

cleanBetweenTests();

test("a queue that only a visitor's request has woken forgets its jobs and its alarm", async () => {
  const space = await makeSpace();
  const media = await makeMedia(space);
  builder.always(busy);
  hastyVisitors();
  expect(await picture(space.name, media.id, "w=500")).toMatchObject({ state: "queued" });
  await clean();
  expect(await runDurableObjectAlarm(objectOf(space))).toBe(false);
});
