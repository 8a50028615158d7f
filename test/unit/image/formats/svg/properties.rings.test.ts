import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sanitizeSvg, SvgRejectedError } from "../../../../../src/image/formats/svg/safe/sanitize.ts";
import { safeStyle } from "../../../../../src/image/formats/svg/css/css-rules.ts";
import { Work } from "../../../../../src/image/formats/svg/work/work.ts";
import { faultsOf } from "../../../../../scripts/harness/svg-check.ts";
import { payloads } from "../../../../../scripts/samples/svg/payloads.ts";
import { runSvgMutations } from "../../../../../scripts/fuzz/svg-mutations.ts";
import { svg } from "../../../../../scripts/samples/svg/svg.ts";
import { createProbe } from "../../../../../src/image/formats/probe.ts";
import { rounds } from "../../../../support/ring.ts";

const fragment = fc.oneof(
  fc.constantFrom(...Object.values(payloads)),
  fc.constantFrom(
    "<g>",
    "</g>",
    "<style>",
    "</style>",
    "a{",
    "}",
    "fill:",
    "url(",
    "#a",
    ")",
    "\\75rl(",
    "//x",
    '"',
    "'",
    ";",
    "<title>",
    "</title>",
  ),
  fc.string({ maxLength: 12, unit: "grapheme" }),
);

/** Sanitizes a drawing; null when the sanitizer refuses it, which it may. */
function written(text: string): string | null {
  try {
    return sanitizeSvg(new TextEncoder().encode(text)).document;
  } catch (error) {
    if (error instanceof SvgRejectedError) return null;
    throw error;
  }
}

describe("any input", () => {
  it("is refused, or becomes a safe document that does not change when it is sanitized again", () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 8 }), (parts) => {
        const document = written(svg(parts.join("")));
        if (document === null) return;
        expect(faultsOf(document)).toEqual([]);
        expect(written(document)).toBe(document);
      }),
      { numRuns: rounds(400, 2000), seed: 7 },
    );
  });

  it("as a style becomes safe, and does not change when it is sanitized again", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "fill",
        "stroke",
        ":",
        ";",
        "url(",
        "URL(",
        "#a",
        ")",
        "(",
        "/*",
        "*/",
        "\\",
        '"',
        "'",
        "@import",
        "//x",
        "{",
        "}",
        "var(--a)",
        "--a:",
        "!important",
        "1.",
        "-",
        " ",
      ),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (parts) => {
        const { css } = safeStyle(parts.join(""), new Work(0));
        expect(safeStyle(css, new Work(0)).css).toBe(css);
        const attribute = css.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
        expect(faultsOf(svg(`<g style="${attribute}"/>`))).toEqual([]);
      }),
      { numRuns: rounds(1000, 5000), seed: 7 },
    );
  });

  it("gives the same document in any chunks", () => {
    const file = new TextEncoder().encode(svg(`<text>Größe ${"x".repeat(40_000)}</text>`));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 9 }), (sizes) => {
        const probe = createProbe();
        for (let at = 0, i = 0; at < file.length; i += 1) {
          const size = sizes[i % sizes.length]!;
          probe.push(file.slice(at, at + size));
          at += size;
        }
        probe.finish();
        expect(probe.document).toBe(sanitizeSvg(file).document);
      }),
      { numRuns: 30, seed: 7 },
    );
  });

  it("is refused or safe after mutations (a run of scripts/fuzz/svg.ts)", () => {
    const { taken, refused } = runSvgMutations(1, rounds(1500, 20_000));
    expect(taken).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });
});
