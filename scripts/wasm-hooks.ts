/** Lets a script in Node import a .wasm file as a compiled module and a .ttf file as bytes, as Workers do. Use it with node --import. */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

registerHooks({
  load(url, context, nextLoad) {
    const isFont = url.endsWith(".ttf");
    if (!isFont && !url.endsWith(".wasm")) return nextLoad(url, context);
    const base64 = readFileSync(fileURLToPath(url)).toString("base64");
    const bytes = `Buffer.from("${base64}", "base64")`;
    const source = isFont
      ? `export default Uint8Array.from(${bytes}).buffer;`
      : `export default new WebAssembly.Module(${bytes});`;
    return { format: "module", source, shortCircuit: true };
  },
});
