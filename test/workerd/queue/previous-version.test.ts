/**
 * An edge of this version beside a builder of the previous one. test/unit/image/protocol/previous-version.test.ts has
 * the other way round.
 */
import { expect, test } from "vitest";
import type { BuildOrder } from "../../../src/image/protocol/build.ts";
import { start } from "../support/builder/builds.ts";
import { bytesOf } from "../support/builder/builder-calls.ts";
import { cleanBetweenTests } from "../support/clean.ts";
import { answer, builder } from "../support/builder/fake-builder.ts";
import { bindings } from "../support/rows.ts";

cleanBetweenTests();

test("hands its master over in pieces, and gets a small file as bytes, because the order says so", async () => {
  const { queue, request } = await start();
  let sent: "bytes" | "a stream" | null = null;
  builder.next(async ({ order, readMaster }) => {
    // The builder of the previous version asks for pieces, as `readMaster` does.
    const text = `small ${await readMaster()}`;
    const { takesBytes } = order as BuildOrder & { takesBytes?: boolean };
    sent = takesBytes ? "bytes" : "a stream";
    return takesBytes ? { ...answer(text), body: bytesOf(text) } : answer(text);
  });
  await queue.admit(request);
  expect(await queue.settled(request.key)).toEqual({ state: "built" });
  expect(sent).toBe("bytes");
  expect(await (await bindings.BUCKET.get(request.key))?.text()).toBe("small master");
});
