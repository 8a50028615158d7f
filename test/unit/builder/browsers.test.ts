/**
 * Files of every encoder in real browsers: shown as sharp decodes them, and as well as those of the encoders that
 * hold a picture whole. Needs Chromium or Firefox (CHROMIUM and FIREFOX name them, or PATH has them); what is missing
 * is skipped.
 */
import { describe, expect, it } from "vitest";
import { findBrowser } from "../../../scripts/harness/browsers.ts";
import { casesOf, verdictsOf } from "../../../scripts/harness/browser-verdicts.ts";

/** Several tiles of an AVIF each. */
const SIZES = [
  [402, 300],
  [403, 301],
] as const;
const PATIENCE_MS = 240_000;

const cases = casesOf(SIZES);

describe.each(["chromium", "firefox"] as const)("in %s", (browser) => {
  const command = findBrowser(browser);
  if (command === null) console.warn(`No ${browser} here: what it shows is not looked at.`);

  it.skipIf(command === null)(
    "every output looks as it does to sharp, and as a single encode does",
    async () => {
      const verdicts = await verdictsOf(browser, command ?? "", await cases);
      expect(verdicts.length).toBeGreaterThan(50);
      expect(verdicts.filter(({ fault }) => fault !== null)).toEqual([]);
    },
    PATIENCE_MS,
  );
});
