import { describe, expect, it } from "vitest";
import { QUEUE } from "../../../../src/limits.ts";
import { Waiters } from "../../../../src/edge/queue/schedule/waiters.ts";

describe("calls that wait for a key", () => {
  it("are answered together, and no others", async () => {
    const waiters = new Waiters();
    const told = [waiters.wait("a"), waiters.wait("a")];
    const other = waiters.wait("b");
    waiters.settle("a", { state: "built" });
    expect(await Promise.all(told)).toEqual([{ state: "built" }, { state: "built" }]);
    waiters.settleAll({ state: "unknown" });
    expect(await other).toEqual({ state: "unknown" });
  });

  it("are limited in number: one more is answered at once", async () => {
    const waiters = new Waiters();
    const told = Array.from({ length: QUEUE.waitersPerKeyMax }, () => waiters.wait("a"));
    expect(await waiters.wait("a")).toEqual({ state: "unknown" });
    waiters.settle("a", { state: "built" });
    for (const settlement of await Promise.all(told)) expect(settlement).toEqual({ state: "built" });
  });
});
