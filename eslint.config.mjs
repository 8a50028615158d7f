import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";
import plainWords from "./scripts/check/plain-words.ts";

export default tseslint.config(
  {
    ignores: [
      "node_modules",
      "dist",
      "**/.wrangler",
      "src/builder/wasm",
      "src/generated",
      "schema/migrations",
      // Apps of frameworks, which check them with what they bring.
      "test/frameworks/*/**/*.{ts,tsx,mjs}",
      "!test/frameworks/support/*",
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ["./tsconfig.json", "./tsconfig.console.json", "./tsconfig.node.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unnecessary-condition": ["error", { allowConstantLoopConditions: true }],
      // Indexing is checked by noUncheckedIndexedAccess; an assertion says where the bound is known.
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
  {
    ignores: ["src/client/schema.ts"],
    plugins: { "plain-words": plainWords },
    rules: { "plain-words/docstrings": "error", "plain-words/subjects": "error" },
  },
  {
    files: ["src/builder/**/assembly/**/*.ts"],
    languageOptions: {
      // Decorators on functions (`@inline`) are AssemblyScript's own.
      parserOptions: { project: ["./tsconfig.assembly.json"], allowInvalidAST: true },
    },
    rules: {
      // Number types are one type to TypeScript, and many to AssemblyScript.
      "@typescript-eslint/no-unnecessary-type-assertion": "off",
      // An imported variable is taken to keep the value that it was last compared with.
      "@typescript-eslint/no-unnecessary-condition": "off",
      // A class of static fields is the one way to share variables that another module may set.
      "@typescript-eslint/no-extraneous-class": "off",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreVoidReturningFunctions: true }],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        ...["waitFor", "waitUntil"].map((property) => ({
          object: "vi",
          property,
          message: "It gives up after a second: use expect.poll, or eventually inside workerd.",
        })),
      ],
    },
  },
  {
    files: ["src/console/**/*.{ts,tsx}"],
    plugins: { "react-hooks": reactHooks },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      "react-hooks/exhaustive-deps": "error",
      "no-restricted-syntax": [
        "error",
        {
          selector: "JSXAttribute[name.name='aria-labelledby']",
          message: "Use aria-label: see Names in src/console/README.md.",
        },
      ],
    },
  },
  { files: ["**/*.mjs", "src/console/public/*.js"], ...tseslint.configs.disableTypeChecked },
);
