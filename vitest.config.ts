import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vitest/config";

/** Imports a .wasm file as a compiled WebAssembly.Module, as Workers do. */
const wasmModules: Plugin = {
  name: "wasm-modules",
  enforce: "pre",
  load(id) {
    if (!id.endsWith(".wasm")) return null;
    const base64 = readFileSync(id).toString("base64");
    return `export default new WebAssembly.Module(Buffer.from("${base64}", "base64"));`;
  },
};

export default defineConfig({
  test: {
    projects: [
      { plugins: [wasmModules], test: { name: "unit", include: ["test/unit/**/*.test.ts"], testTimeout: 60_000 } },
    ],
  },
});
