import tseslint from "typescript-eslint";

/** What a folder of src/edge may import: its own files, and these. Holds the one-way flow of the README's layout. */
const MAY_IMPORT = {
  delivery: ["storage"],
  queue: ["storage", "config"],
};

const FOLDERS = [
  "content",
  "content-model",
  "delivery",
  "http",
  "media",
  "queue",
  "spaces",
  "storage",
  "sweep",
];
const FILES = ["app", "config", "worker"];

/** No Worker imports the other, and nothing below the routes imports them. */
function forbidden(folder) {
  const allowed = MAY_IMPORT[folder];
  if (!allowed) return ["**/builder/**", "**/routes/**"];
  const folders = [...FOLDERS, "routes"].filter((name) => name !== folder && !allowed.includes(name));
  const files = FILES.filter((name) => !allowed.includes(name));
  return [
    "**/builder/**",
    ...folders.map((name) => `../${name}/**`),
    ...files.map((name) => `../${name}.ts`),
  ];
}

const wall = (files, group) => ({
  files,
  rules: { "no-restricted-imports": ["error", { patterns: [{ group }] }] },
});

export default tseslint.config(
  {
    ignores: [
      "node_modules",
      "dist",
      "**/.wrangler",
      "src/builder/**/assembly",
      "src/builder/wasm",
      "schema/migrations",
      "src/builder/wasm",
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ["./tsconfig.json", "./tsconfig.node.json"],
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
  ...FOLDERS.map((folder) => wall([`src/edge/${folder}/**/*.ts`], forbidden(folder))),
  wall(["src/edge/routes/**/*.ts"], ["**/builder/**"]),
  wall(["src/image/**/*.ts"], ["**/edge/**", "**/builder/**", "**/client/**"]),
  wall(["src/builder/**/*.ts"], ["**/edge/**", "**/client/**"]),
  { files: ["**/*.mjs"], ...tseslint.configs.disableTypeChecked },
);
