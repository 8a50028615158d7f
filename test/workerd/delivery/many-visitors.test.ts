/** Many visitors at once for one cold variant (RULES 8.2): in one isolate, and in several with one queue. */
import { expect, test, vi } from "vitest";
import { cleanBetweenTests, hastyVisitors } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { builder, Gate } from "../support/builder/fake-builder.ts";
import { requestWith } from "../support/http.ts";
import { queueOf, requestFor } from "../support/queue.ts";
import { bindings, makeMedia, makeSpace, variantFiles } from "../support/rows.ts";

cleanBetweenTests();

const VISITORS = 200;
/** They come to the queue as this isolate does: once each. */
const OTHER_ISOLATES = 4;

/** Counts the calls of `admit`. */
function countAdmissions(): { SPACE_QUEUE: DurableObjectNamespace; admissions: () => number } {
  let admissions = 0;
  const counted = (stub: DurableObjectStub): DurableObjectStub =>
    new Proxy(stub, {
      get(target, property) {
        if (property === "admit") admissions += 1;
        const value = Reflect.get(target, property, target) as unknown;
        if (typeof value !== "function") return value;
        return (...args: unknown[]): unknown => Reflect.apply(value, target, args);
      },
    });
  const SPACE_QUEUE = new Proxy(bindings.SPACE_QUEUE, {
    get(target, property) {
      if (property === "get") return (id: DurableObjectId) => counted(target.get(id));
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { SPACE_QUEUE, admissions: () => admissions };
}

test(`${VISITORS} at once are one admission of their isolate, and with ${OTHER_ISOLATES} other isolates one build`, async () => {
  const space = await makeSpace();
  const media = await makeMedia(space);
  const queue = queueOf(space);
  const gate = new Gate();
  hastyVisitors();
  builder.always(gate.hold);
  // The two seconds of an admission are not over before the last visitor has come.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const { SPACE_QUEUE, admissions } = countAdmissions();
  const path = `/api/v1/${space.name}/pictures/${media.id}?w=500&fm=webp`;

  const visits = Array.from({ length: VISITORS }, async (_, visitor) => {
    const headers = { "CF-Connecting-IP": `192.0.2.${visitor}` };
    const answer = await requestWith({ SPACE_QUEUE }, path, { headers });
    return [answer.status, answer.headers.get("X-Service-Transform")];
  });
  const others = Array.from({ length: OTHER_ISOLATES }, () => queue.admit(requestFor(media, { width: 500 })));
  await builder.called(1);
  gate.open();

  const states = new Set<unknown>();
  for (const [status, state] of await Promise.all(visits)) {
    expect(status).toBe(302);
    states.add(state);
  }
  expect(["built", "queued", "coalesced", "hit"]).toEqual(expect.arrayContaining([...states]));
  expect(admissions()).toBe(1);
  const admitted = (await Promise.all(others)).filter(({ state }) => state === "accepted");
  expect(admitted.length).toBeLessThanOrEqual(1);
  await eventually(async () => expect(await variantFiles(media)).toHaveLength(1));
  expect(builder.widths()).toEqual([500]);
  expect((await queue.usage()).coldBudgetUsed).toBe(1);
});
