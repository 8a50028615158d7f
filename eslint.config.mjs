import tseslint from "typescript-eslint";

/** What a folder of src may import: its own files, and these. Holds the one-way flow of the README's layout. */
const MAY_IMPORT = {
  image: ["limits", "errors"],
  builder: ["image", "limits", "errors"],
  delivery: ["image", "queue/messages", "storage", "limits", "errors"],
  queue: ["image", "storage", "limits", "errors", "config"],
};

const FOLDERS = [
  "builder",
  "client",
  "content",
  "delivery",
  "http",
  "image",
  "media",
  "queue",
  "routes",
  "spaces",
  "storage",
  "sweep",
];
const FILES = ["app", "config", "errors", "index", "limits", "worker"];

/** Nothing but the entry imports the builder, and nothing below the routes imports them. */
function forbidden(folder) {
  const allowed = MAY_IMPORT[folder];
  if (!allowed) return ["**/builder/**", ...(folder === "routes" ? [] : ["**/routes/**"])];
  const others = [...FOLDERS, ...FILES].filter((name) => name !== folder && !allowed.includes(name));
  const partly = allowed.filter((name) => name.includes("/")).map((name) => name.split("/")[0]);
  return others
    .filter((name) => !partly.includes(name))
    .flatMap((name) =>
      FILES.includes(name) ? [`../${name}.ts`, `../../${name}.ts`] : [`../${name}/**`, `../../${name}/**`],
    );
}

export default tseslint.config(
  {
    ignores: [
      "node_modules",
      "dist",
      "**/.wrangler",
      "src/builder/assembly",
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
  ...FOLDERS.filter((folder) => folder !== "routes").map((folder) => ({
    files: [`src/${folder}/**/*.ts`],
    rules: { "no-restricted-imports": ["error", { patterns: [{ group: forbidden(folder) }] }] },
  })),
  { files: ["**/*.mjs"], ...tseslint.configs.disableTypeChecked },
);
