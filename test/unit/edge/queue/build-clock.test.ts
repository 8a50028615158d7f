/** Where the time of a build goes: phases follow each other, and the master's bytes come beside them. */
import { afterEach, expect, it, vi } from "vitest";
import { BuildClock } from "../../../../src/edge/queue/work/build-clock.ts";

afterEach(() => void vi.useRealTimers());

it("gives each phase what passed since the one before, and the master what its bytes took", async () => {
  vi.useFakeTimers({ now: 1000 });
  const clock = new BuildClock();
  const pass = (ms: number): void => void vi.setSystemTime(Date.now() + ms);
  pass(5);
  let end = (): void => undefined;
  const reading = new Promise<void>((resolve) => (end = resolve));
  clock.masterIsRead(reading);
  pass(20);
  end();
  await reading;
  pass(30);
  clock.answered(48, 15);
  pass(7);
  clock.ended("put");
  pass(3);
  clock.ended("row");
  expect(clock.times).toEqual({ room: 7, master: 20, build: 48, wait: 15, put: 7, row: 3 });
});

it("adds up what the way to several rooms takes, and counts a master that broke off", async () => {
  vi.useFakeTimers({ now: 1000 });
  const clock = new BuildClock();
  for (const ms of [4, 6]) {
    vi.setSystemTime(Date.now() + ms);
    clock.answered();
  }
  const reading = Promise.reject(new Error("lost"));
  clock.masterIsRead(reading);
  vi.setSystemTime(Date.now() + 9);
  await reading.catch(() => undefined);
  expect(clock.times).toMatchObject({ room: 10, master: 9 });
});

it("takes no more for the build than passed here, whatever the builder's clock says", () => {
  vi.useFakeTimers({ now: 1000 });
  const clock = new BuildClock();
  vi.setSystemTime(1030);
  clock.answered(31, 33);
  expect(clock.times).toMatchObject({ room: 0, build: 30, wait: 30 });
});
