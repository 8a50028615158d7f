import { describe, expect, it } from "vitest";
import { readsPerMinute } from "../../../../src/edge/spaces/api-rate.ts";

describe("API_RATE", () => {
  it.each([
    ["6000", 6000],
    ["1", 1],
    ["120", 120],
    [undefined, 6000],
    ["", 6000],
    ["0", 6000],
    ["-5", 6000],
    ["1.5", 6000],
    ["1e3", 6000],
    ["many", 6000],
  ])("%j is %d reads in a minute", (API_RATE, reads) => {
    expect(readsPerMinute(API_RATE === undefined ? {} : { API_RATE })).toBe(reads);
  });
});
