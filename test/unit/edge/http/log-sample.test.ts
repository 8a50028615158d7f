/** Which requests have a line in the log. */
import { expect, it, vi } from "vitest";
import { isInSample, logSample } from "../../../../src/edge/http/answers/log-sample.ts";

it("LOG_SAMPLE is a share from 0 to 1, and 2 % if it is invalid", () => {
  expect(["0", "1", "0.5", "1e-3"].map((LOG_SAMPLE) => logSample({ LOG_SAMPLE }))).toEqual([
    0, 1, 0.5, 0.001,
  ]);
  for (const LOG_SAMPLE of ["", "x", "-0.1", "1.1", "NaN", "50%"]) {
    expect(logSample({ LOG_SAMPLE }), LOG_SAMPLE).toBe(0.02);
  }
  expect(logSample({})).toBe(0.02);
});

it("a request is in the sample as often as it says", () => {
  const random = vi.spyOn(Math, "random");
  random.mockReturnValue(0.0199);
  expect([isInSample({}), isInSample({ LOG_SAMPLE: "0" }), isInSample({ LOG_SAMPLE: "1" })]).toEqual([
    true,
    false,
    true,
  ]);
  random.mockReturnValue(0.02);
  expect(isInSample({})).toBe(false);
  random.mockReturnValue(0.999_999);
  expect(isInSample({ LOG_SAMPLE: "1" })).toBe(true);
  vi.restoreAllMocks();
});
