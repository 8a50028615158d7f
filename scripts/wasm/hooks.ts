/**
 * Lets a script in Node import a .wasm file as a compiled module and a .ttf file as bytes, like in Workers. Use it with
 * `node --import`.
 */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

registerHooks({
  load(url, context, nextLoad) {
    const isFont = url.endsWith(".ttf");
    if (!isFont && !url.endsWith(".wasm")) return nextLoad(url, context);
    // The module reads the file itself. As text in its source, the megabytes would slow down every garbage collection.
    const bytes = `readFileSync(${JSON.stringify(fileURLToPath(url))})`;
    const source = isFont
      ? `export default Uint8Array.from(${bytes}).buffer;`
      : `export default new WebAssembly.Module(${bytes});`;
    const imports = 'import { readFileSync } from "node:fs";';
    return { format: "module", source: imports + source, shortCircuit: true };
  },
});
