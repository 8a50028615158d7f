import { createNodeResolver, importX } from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

/** Imports point one way (README, Layout): what a folder may not reach. */
const zones = [
  { target: "./src/image", from: "./src", except: ["./image", "./limits.ts", "./errors.ts"] },
  { target: "./src/builder", from: "./src", except: ["./builder", "./image", "./limits.ts", "./errors.ts"] },
  { target: "./src", from: "./src/builder", except: [] as string[] },
  { target: "./src/queue", from: "./src", except: ["./queue", "./image", "./storage", "./limits.ts", "./errors.ts", "./config.ts"] },
  { target: "./src/!(routes|http)/**/*", from: "./src/routes" },
];

export default tseslint.config(
  { ignores: ["node_modules", "dist", ".wrangler", "src/builder/assembly", "src/builder/wasm", "schema/migrations"] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ["./tsconfig.json", "./tsconfig.node.json"], tsconfigRootDir: import.meta.dirname },
    },
    plugins: { "import-x": importX as never },
    settings: { "import-x/resolver-next": [createNodeResolver({ extensions: [".ts", ".js", ".mjs"] })] },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unnecessary-condition": ["error", { allowConstantLoopConditions: true }],
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-empty-function": "off",
      "import-x/no-cycle": "error",
    },
  },
  { files: ["**/*.mjs"], ...tseslint.configs.disableTypeChecked },
);
void zones;
