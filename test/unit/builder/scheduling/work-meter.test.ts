import { expect, it } from "vitest";
import { WorkMeter } from "../../../../src/builder/scheduling/work-meter.ts";

const HALF = 5_000_000;

function counted(): { meter: WorkMeter; yields: () => number } {
  let yields = 0;
  const yieldOnce = (): Promise<void> => {
    yields++;
    return Promise.resolve();
  };
  return { meter: new WorkMeter(yieldOnce), yields: () => yields };
}

it("yields after a bounded amount of work of all builds together", async () => {
  const { meter, yields } = counted();
  await meter.spend(HALF);
  expect(yields()).toBe(0);
  await meter.spend(HALF);
  expect(yields()).toBe(1);
  await meter.spend(HALF);
  expect(yields()).toBe(1);
});

it("counts from the last yield on, and each build for itself", async () => {
  const [one, other] = [counted(), counted()];
  await one.meter.spend(HALF);
  await one.meter.yield();
  await one.meter.spend(HALF);
  await other.meter.spend(HALF);
  expect([one.yields(), other.yields()]).toEqual([1, 0]);
});

it("ends the work when yielding throws", async () => {
  const meter = new WorkMeter(() => Promise.reject(new Error("not wanted any more")));
  await meter.spend(HALF);
  await expect(meter.spend(HALF)).rejects.toThrow("not wanted any more");
});
