import { expect, it } from "vitest";
import { WorkMeter } from "../../../../src/builder/scheduling/work-meter.ts";

const HALF = 5_000_000;

it("meters of one event loop count together", async () => {
  let turns = 0;
  const turn = (): Promise<void> => {
    turns++;
    return Promise.resolve();
  };
  const decoder = new WorkMeter(turn);
  const encoder = new WorkMeter(turn);
  await decoder.spend(HALF);
  expect(turns).toBe(0);
  await encoder.spend(HALF);
  expect(turns).toBe(1);
  await decoder.spend(HALF);
  expect(turns).toBe(1);
});

it("meters of different ones do not", async () => {
  let turns = 0;
  const meters = [1, 2].map(
    () =>
      new WorkMeter(() => {
        turns++;
        return Promise.resolve();
      }),
  );
  for (const meter of meters) await meter.spend(HALF);
  expect(turns).toBe(0);
});
