/** Everything that is generated and not in the repository: version, WebAssembly modules, API document, console. */
import "./version.ts";
import "./packages.ts";
import "../wasm/build.ts";

// One after the other, as the console takes the document in: modules that are imported together do not wait for what
// each of them awaits.
await import("../api/build.ts");
await import("../console/build.ts");
