/** The rules of lint about how comments begin. */
import { ESLint, Linter } from "eslint";
import tseslint from "typescript-eslint";
import { describe, expect, it } from "vitest";
import plainWords from "../../../../scripts/check/plain-words.ts";

/** Returns the messages of the rules about a text, each with its line. */
function faultsOf(code: string): string[] {
  const config: Linter.Config = {
    languageOptions: {
      parser: tseslint.parser,
      // AssemblyScript has decorators on functions.
      parserOptions: { allowInvalidAST: true },
    },
    plugins: { "plain-words": plainWords },
    rules: { "plain-words/docstrings": "error", "plain-words/subjects": "error" },
  };
  return new Linter().verify(code, config).map(({ line, message }) => `${line}: ${message}`);
}

const NO_VERB = expect.stringContaining("begins with a verb") as string;

describe("a function's docstring", () => {
  const shapes: Record<string, (docstring: string) => string> = {
    "a function": (doc) => `${doc}\nfunction f() {}`,
    "an exported function": (doc) => `${doc}\nexport async function* f() {}`,
    "a default export": (doc) => `${doc}\nexport default function f() {}`,
    "an overload": (doc) => `${doc}\nexport function f(a: string): void;`,
    "an arrow function": (doc) => `${doc}\nexport const f = () => 1;`,
    "a method": (doc) => `class A {\n${doc}\nf() {}\n}`,
    "a property that is a function": (doc) => `class A {\n${doc}\n#f = () => 1;\n}`,
    "a function of AssemblyScript": (doc) => `${doc}\n@inline\nexport function f(): i32 {}`,
  };

  it.each(Object.entries(shapes))("of %s begins with a verb", (_, code) => {
    expect(faultsOf(code("/** Returns a number. */"))).toEqual([]);
    expect(faultsOf(code("/**\n * Reads/writes a number.\n * @throws Error\n */"))).toEqual([]);
    expect(faultsOf(code("/** A number. */"))).toEqual([NO_VERB]);
    expect(faultsOf(code("/**\n * Whether it is a number.\n */"))).toEqual([NO_VERB]);
  });

  it.each([
    "Bytes of a row.",
    "This returns a number.",
    "`n` bytes.",
    "Return a number.",
    "returns a number.",
  ])("is refused as %j", (text) => expect(faultsOf(`/** ${text} */\nfunction f() {}`)).toEqual([NO_VERB]));

  it("may be absent, or have tags alone", () => {
    expect(faultsOf("function f() {}")).toEqual([]);
    expect(faultsOf("// A number.\nfunction f() {}")).toEqual([]);
    expect(faultsOf("/** @param a an offset */\nfunction f(a) {}")).toEqual([]);
  });

  it("is not the comment of a file, a type, a value, a getter or a constructor", () => {
    expect(faultsOf("/** The parts of a picture. */\n\nfunction f() {}")).toEqual([]);
    expect(faultsOf("/** A size. */\nexport interface Size { width: number }")).toEqual([]);
    expect(faultsOf("/** The bytes. */\nexport const BYTES = 5;")).toEqual([]);
    expect(faultsOf("class A {\n/** The bytes. */\nget bytes() { return 5; }\n}")).toEqual([]);
    expect(faultsOf("class A {\n/** A new one. */\nconstructor() {}\n}")).toEqual([]);
  });
});

describe("a comment", () => {
  it.each(["What", "Who", "Whose", "Of", "Nobody", "Somebody"])("does not begin with %s", (word) => {
    const fault = [`1: Name what the comment is about: no comment begins with "${word}".`];
    expect(faultsOf(`/** ${word} is left. */\nconst a = 1;`)).toEqual(fault);
    expect(faultsOf(`// ${word} is left.\nconst a = 1;`)).toEqual(fault);
    expect(faultsOf(`const a = 1; // ${word} is left.`)).toEqual(fault);
  });

  it("may have these words further on, and at the start of a further line", () => {
    expect(
      faultsOf("// Lists what is left. Some rows stay.\n// Of these, one is read.\nconst a = 1;"),
    ).toEqual([]);
    expect(faultsOf("/** Offsets of tags. */\nconst a = 1;")).toEqual([]);
    expect(faultsOf("/** The rows.\n * What is left is read later. */\nconst a = 1;")).toEqual([]);
  });

  it("is checked by the lint of every source", async () => {
    const eslint = new ESLint();
    const files = [
      "src/index.ts",
      "src/console/app.tsx",
      "src/builder/codecs/avif/assembly/index.ts",
      "scripts/run.mjs",
    ];
    for (const file of files) {
      const { rules } = (await eslint.calculateConfigForFile(file)) as Linter.Config;
      expect(rules, file).toMatchObject({ "plain-words/docstrings": [2], "plain-words/subjects": [2] });
    }
  });
});
