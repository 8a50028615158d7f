/** Lets a script in Node import a .wasm file as a compiled WebAssembly.Module, as Workers do. Use it with node --import. */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(".wasm")) return nextLoad(url, context);
    const base64 = readFileSync(fileURLToPath(url)).toString("base64");
    const source = `export default new WebAssembly.Module(Buffer.from("${base64}", "base64"));`;
    return { format: "module", source, shortCircuit: true };
  },
});
