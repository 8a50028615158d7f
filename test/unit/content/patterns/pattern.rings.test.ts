import { createContext, Script } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern } from "../../../../src/content/patterns/pattern.ts";
import { StepBudget, TooManySteps } from "../../../../src/content/patterns/step-budget.ts";
import { PATTERN } from "../../../../src/limits.ts";
import { PatternError } from "../../../../src/content/patterns/pattern-error.ts";
import { rounds } from "../../../support/ring.ts";

/** Patterns of what is taken, as text. */
const atom = fc.constantFrom(
  "a",
  "b",
  "c",
  ".",
  "\\d",
  "\\w",
  "\\s",
  "[ab]",
  "[^a]",
  "[a-c]",
  "\\.",
  "\\u0061",
  "\\p{L}",
  "\\P{Lu}",
  "[^\\p{Script=Latin}1]",
  "é",
  "😀",
);
const { pattern } = fc.letrec<{ pattern: string; piece: string; unit: string }>((tie) => ({
  unit: fc.oneof(
    { depthSize: "small" },
    atom,
    tie("pattern").map((inner) => `(?:${inner})`),
    tie("pattern").map((inner) => `(${inner})`),
  ),
  piece: fc
    .tuple(tie("unit"), fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?"))
    .map(([unit, times]) => unit + times),
  pattern: fc.oneof(
    { depthSize: "small" },
    fc.array(tie("piece"), { maxLength: 4 }).map((pieces) => pieces.join("")),
    fc.tuple(tie("pattern"), tie("pattern")).map(([a, b]) => `${a}|${b}`),
    tie("pattern").map((inner) => `^(?:${inner})$`),
  ),
}));
const text = fc.string({
  unit: fc.constantFrom("a", "b", "c", "1", " ", "\n", ".", "é", "😀", "_"),
  maxLength: 8,
});

const ORACLE_MAX_MS = 100;
const sandbox = createContext({ source: "", texts: [] as string[] });
const oracle = new Script(
  "{ const pattern = new RegExp(source, 'u'); texts.map((text) => pattern.test(text)) }",
);

/** Returns the answer of JavaScript's own engine for each text. Null if it backtracks for longer than it is given. */
function javascriptMatches(source: string, texts: string[]): boolean[] | null {
  Object.assign(sandbox, { source, texts });
  try {
    return oracle.runInContext(sandbox, { timeout: ORACLE_MAX_MS }) as boolean[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
    throw error;
  }
}

describe("a pattern", () => {
  it("matches what JavaScript's own engine does", () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
        fc.pre(source.length <= 200);
        let match: ReturnType<typeof compilePattern>;
        try {
          match = compilePattern(source);
        } catch (error) {
          expect((error as Error).message).toContain("too large");
          return;
        }
        const expected = javascriptMatches(source, texts);
        if (expected === null) return;
        expect([source, texts, texts.map((one) => match(one))]).toEqual([source, texts, [...expected]]);
      }),
      { numRuns: rounds(500, 3000) },
    );
  });

  it("is refused when it cannot be matched in linear time, or is invalid", () => {
    const refused = [
      "(?=a)",
      "(?!a)",
      "(?<n>a)",
      "(a)\\1",
      "\\b",
      "\\p",
      "\\p{L",
      "\\p{Emoji}",
      "\\p{Nope}",
      "\\p{sc=Nope}",
      "\\p{L}-\\p{}",
      "\\p{L}(?=\\P{L})",
      "[\\p{L}-z]",
      "a**",
      "*",
      "a{2,1}",
      "(",
      ")",
      "[",
      "[b-a]",
      "a{99999}",
      "\\",
      "^*",
      "\\ud800",
      "(a{100}){100}",
      "((){9999}){9999}",
      "(".repeat(50) + ")".repeat(50),
    ];
    for (const source of refused)
      expect([source, () => compilePattern(source)]).toEqual([source, expect.any(Function)]);
    for (const source of refused) expect(() => compilePattern(source), source).toThrow(PatternError);
  });

  it("knows general categories and scripts by all their names", () => {
    const cases: [string, string, string][] = [
      ["^\\p{Lu}\\p{Ll}+$", "Ångström", "ångström"],
      ["^\\p{Letter}+$", "жук", "жук1"],
      ["^\\p{gc=Nd}+$", "٣٤", "x"],
      ["^\\p{General_Category=Uppercase_Letter}$", "É", "é"],
      ["^\\p{Script=Greek}+$", "λόγος", "logos"],
      ["^\\p{sc=Cyrl}+$", "да", "da"],
      ["^\\p{Han}+$", "漢字", "kanji"],
      ["^\\p{scx=Deva}+$", "नमस्ते", "namaste"],
      ["^\\P{L}+$", "123", "a23"],
      ["^[\\p{L}\\d_]+$", "Straße_1", "a b"],
    ];
    for (const [source, fits, misfit] of cases) {
      const match = compilePattern(source);
      expect([source, match(fits), match(misfit)]).toEqual([source, true, false]);
    }
  });

  it("takes no longer if it is ambiguous", () => {
    expect(compilePattern("^(a|a)*(a+)+$")(`${"a".repeat(2000)}!`)).toBe(false);
  });

  describe("has a budget of steps, which", () => {
    const steps = (source: string, text: string): number => {
      const budget = new StepBudget(Infinity);
      compilePattern(source)(text, budget);
      return budget.spent;
    };
    const categories = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi".split(" ");
    const LARGEST = `[${categories.map((name) => `\\p{${name}}`).join("")}]{490}\\u0001`;

    it.each([
      ["^[a-z0-9]+(?:-[a-z0-9]+)*$", "a-long-slug".repeat(180)],
      ["^[\\w.+-]+@[\\w-]+\\.[\\w.-]+$", `${"a".repeat(1000)}@${"b".repeat(900)}.example`],
      ["^\\+?[0-9 ()-]{6,20}$", "+49 (89) 1234-5678"],
      ["^[\\p{L}\\p{M}' -]{1,100}$", "Zoë Ångström-Østergård"],
      ["^\\p{Han}+$", Array.from({ length: 2000 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join("")],
    ])("%s does not come near", (source, text) => {
      expect(steps(source, text)).toBeLessThan(PATTERN.stepsMax / 20);
    });

    it("ends what has many states at once", () => {
      const match = compilePattern(LARGEST);
      const budget = new StepBudget();
      const text = "a".repeat(2000);
      expect(() => Array.from({ length: 20 }, () => match(text, budget))).toThrow(TooManySteps);
      // No more than one character takes is done beyond it.
      expect(budget.spent).toBeLessThan(PATTERN.stepsMax + PATTERN.maxStates * 20);
      expect(() => match("a", budget)).toThrow(TooManySteps);
    });

    it("ends what has many states that each lead to many", () => {
      const match = compilePattern("(a?){240}b");
      const budget = new StepBudget(PATTERN.stepsMax / 8);
      expect(() => match("a".repeat(2000), budget)).toThrow(TooManySteps);
    });

    it("ends the compiling of patterns that are many and large", () => {
      const budget = new StepBudget();
      const compileMany = () =>
        Array.from({ length: 100 }, (_, n) => compilePattern(`(a?){${200 + (n % 40)}}b`, budget));
      expect(compileMany).toThrow(TooManySteps);
    });

    it("counts each set of a pattern once per character, however often it is repeated", () => {
      const once = steps(`^${LARGEST.replace("{490}", "")}`, "a");
      expect(steps(`^${LARGEST}`, "a")).toBeLessThan(once + 2 * PATTERN.maxStates);
    });
  });
});
