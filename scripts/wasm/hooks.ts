/**
 * Lets a script in Node import a .wasm file as a compiled module, like in Workers. Use it with `node --import`.
 */
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(".wasm")) return nextLoad(url, context);
    // The module reads the file itself. As text in its source, the megabytes would slow down every garbage collection.
    const bytes = `readFileSync(${JSON.stringify(fileURLToPath(url))})`;
    const source = `import { readFileSync } from "node:fs"; export default new WebAssembly.Module(${bytes});`;
    return { format: "module", source, shortCircuit: true };
  },
});
