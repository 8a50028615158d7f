/** The XMP packets of variants are XML 1.0, whatever a row of an earlier version holds (RULES 9.9). */
import { expect, it } from "vitest";
import { xmpOf } from "../../../../src/builder/metadata/xmp.ts";

/** The characters of XML 1.0 (section 2.2). */
const OF_XML = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;

it("writes no character that XML forbids, and all others", () => {
  const hostile = "A\u0000\u0001\u000b\u001f\ufffe\uffff\ud800B <\u{1f600}>";
  const packet = new TextDecoder("utf-8", { fatal: true }).decode(
    xmpOf({
      creator: hostile,
      credit: hostile,
      notice: hostile,
      usageTerms: hostile,
      statement: "https://example.com/a",
      licensor: { name: hostile, url: null },
    }),
  );
  expect(packet).toMatch(OF_XML);
  expect(packet.split("A\ufffdB &lt;\u{1f600}&gt;")).toHaveLength(6);
});
