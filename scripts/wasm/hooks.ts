/** Lets a script in Node import a .wasm file as a compiled module and a .ttf file as bytes, as Workers do. Use it with node --import. */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

registerHooks({
  load(url, context, nextLoad) {
    const isFont = url.endsWith(".ttf");
    if (!isFont && !url.endsWith(".wasm")) return nextLoad(url, context);
    // Read by the module itself: as text in its source, the codecs' megabytes would be in every collection's way.
    const bytes = `readFileSync(${JSON.stringify(fileURLToPath(url))})`;
    const source = isFont
      ? `export default Uint8Array.from(${bytes}).buffer;`
      : `export default new WebAssembly.Module(${bytes});`;
    const imports = 'import { readFileSync } from "node:fs";';
    return { format: "module", source: imports + source, shortCircuit: true };
  },
});
