/** The work of checking a drawing (RULES 6.4) is counted, and one budget bounds it. */
import { describe, expect, it } from "vitest";
import { sanitizeSvg, SvgRejectedError } from "../../../../../src/image/formats/svg/safe/sanitize.ts";
import { restyled, Unresolved } from "../../../../../src/image/formats/svg/inline-styles/inline-styles.ts";
import { TooMuchWork, Work } from "../../../../../src/image/formats/svg/work/work.ts";
import { SVG } from "../../../../../src/limits.ts";
import { slowToCheck } from "../../../../../scripts/samples/svg/slow-to-check.ts";
import { slowToWriteOut } from "../../../../../scripts/samples/svg/slow-to-write-out.ts";
import { sanitize, svg } from "../../../../../scripts/samples/svg/svg.ts";
import { ofRing } from "../../../../support/ring.ts";

/** Returns the units for `text`, and the reason of a refusal. */
function check(text: string, budgetBytes?: number): { units: number; reason: string | null } {
  const bytes = new TextEncoder().encode(text);
  const work = new Work(budgetBytes ?? bytes.length);
  try {
    sanitizeSvg(bytes, work);
    return { units: work.spent, reason: null };
  } catch (error) {
    if (!(error instanceof SvgRejectedError)) throw error;
    return { units: work.spent, reason: error.message };
  }
}

/** Work that grows with the product of two things, such as rules and elements: the budget alone bounds it. */
const PRODUCTS = new Set([
  "rules for a word in long lists of classes",
  "rules for a part of long attributes",
  "rules for all elements",
  "rules of many compounds",
  "many negations",
  "nested rules",
  "rules for one id",
  "gradients with the stops of one",
  "dashes that many inherit",
  "references of many selectors",
  "paths of many selectors",
  "many references to the enclosing rule",
]);

const slow = { ...slowToCheck, ...slowToWriteOut };
const growing = Object.entries(slow).filter(([name]) => !PRODUCTS.has(name));

describe("a drawing that is made to take long", () => {
  it.each(ofRing(Object.entries(slow), 6))("%s is taken or refused within the budget", (_, make) => {
    const text = make(1);
    const { units } = check(text);
    const budget = SVG.workMaxUnits + SVG.workMaxUnitsPerByte * new TextEncoder().encode(text).length;
    expect(units).toBeLessThanOrEqual(budget);
  });

  it.each(ofRing(growing, 6))("%s, twice as long, takes twice the work at most", (_, make) => {
    const [one, two] = [make(1 / 64), make(1 / 32)].map((text) => check(text, Infinity).units);
    const growth = make(1 / 32).length / make(1 / 64).length;
    expect(two! / one!).toBeLessThanOrEqual(growth * 1.25);
  });

  it.each(
    Object.entries({
      "a list in :is()": SVG.styleTestsMax,
      "a chain of uses": SVG.referencesNestedMax,
      "a chain of gradients": SVG.referencesNestedMax,
      "a chain of gradients by styles": SVG.referencesNestedMax,
      "blocks in one another": SVG.styleNestedMax,
      "strings that do not end": SVG.styleFaultsMax,
    }),
  )("%s is refused, and the limit is named", (name, limit) => {
    expect(check(slowToCheck[name]!(1)).reason).toContain(String(limit));
  });

  it("whose styles alone take too long stays a vector without a raster", () => {
    const { document, facts } = sanitize(slowToCheck["rules of many compounds"]!(1));
    expect(facts.drawing.undrawable).toBe("its style sheets take too long to be resolved");
    expect(() => restyled(document)).toThrow(Unresolved);
  });

  it("has its words of an attribute split once, however many rules look for one", () => {
    const make = (rules: number): string =>
      svg(
        `<style>${Array.from({ length: rules }, (_, i) => `[class~="b${i}" i]{fill:red}`).join("")}</style>` +
          `<g class="${"c ".repeat(16_000)}"/>`.repeat(9),
      );
    const perRule = (check(make(400), Infinity).units - check(make(200), Infinity).units) / 200;
    // Its own characters and ten tests, and nothing for the 32,000 characters of each element.
    expect(perRule).toBeLessThan(2000);
  });
});

describe("at the limit, and one past it", () => {
  const holds = (limit: number, make: (size: number) => string): void => {
    expect(check(make(limit)).reason).toBeNull();
    expect(check(make(limit + 1)).reason).toContain(String(limit));
  };

  it("names and conditions of selectors", () => {
    holds(SVG.styleTestsMax, (size) => svg(`<style>${".a".repeat(size)}{fill:red}</style>`));
    holds(SVG.styleTestsMax, (size) => svg(`<style>:is(${"a,".repeat(size - 2)}a){fill:red}</style>`));
  });

  it("style rules in one another", () => {
    holds(SVG.styleNestedMax, (size) =>
      svg(`<style>${"g{".repeat(size)}fill:red${"}".repeat(size)}</style>`),
    );
  });

  it("broken strings", () => {
    holds(SVG.styleFaultsMax, (size) => svg(`<style>${'"\n'.repeat(size)}</style>`));
  });

  it("elements with an id each, and elements as a map has them", () => {
    const many = (make: (at: number) => string): string =>
      svg(Array.from({ length: SVG.elementsMax - 1 }, (_, i) => make(i)).join(""));
    expect(check(many((i) => `<g id="i${i}"/>`)).reason).toBeNull();
    expect(check(many(() => '<rect width="1" height="1" fill="red" stroke="blue"/>')).reason).toBeNull();
  });

  it("the budget itself", () => {
    const work = new Work(1);
    const budget = SVG.workMaxUnits + SVG.workMaxUnitsPerByte;
    expect(() => work.spend(budget)).not.toThrow();
    expect(() => work.spend(1)).toThrow(TooMuchWork);
  });
});
