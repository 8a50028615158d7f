import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { defineConfig, type Plugin } from "vitest/config";

/**
 * Imports a .wasm file as a compiled WebAssembly.Module, as Workers do. It is read when the import runs: vitest keeps
 * what `load` gives from run to run, whether the file has changed or not.
 */
const wasmModules: Plugin = {
  name: "wasm-modules",
  enforce: "pre",
  load(id) {
    if (!id.endsWith(".wasm")) return null;
    return `import { readFileSync } from "node:fs";
      export default new WebAssembly.Module(readFileSync(${JSON.stringify(id)}));`;
  },
};

/** Imports a font as an ArrayBuffer, as the builder's rule for Data modules does. */
const dataModules: Plugin = {
  name: "data-modules",
  enforce: "pre",
  load(id) {
    if (!id.endsWith(".ttf")) return null;
    return `import { readFileSync } from "node:fs";
      export default Uint8Array.from(readFileSync(${JSON.stringify(id)})).buffer;`;
  },
};

/** Inside workerd: the edge Worker of wrangler.toml, with a builder of its own script that tests control. */
const workerd = cloudflareTest(async () => ({
  main: "./test/workerd/support/worker.ts",
  wrangler: { configPath: "./wrangler.toml" },
  miniflare: {
    durableObjects: { BUILD_ROOM: { className: "BuildRoom", useSQLite: true } },
    bindings: {
      ROOT_TOKEN: "root-of-the-tests",
      TEST_MIGRATIONS: await readD1Migrations("./schema/migrations"),
    },
  },
}));

export default defineConfig({
  test: {
    silent: "passed-only",
    projects: [
      {
        plugins: [wasmModules, dataModules],
        test: { name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 60_000 },
      },
      {
        plugins: [workerd],
        test: {
          name: "workerd",
          include: ["test/workerd/**/*.test.ts"],
          setupFiles: ["./test/workerd/support/setup.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: "./test/e2e/setup.ts",
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
