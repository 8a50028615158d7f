/** Builds every generated file that is not in the repository: version, WebAssembly modules, fonts, API document, console. */
import "./version.ts";
import "./fonts.ts";
import "../wasm/build.ts";

// The console's build copies the API document, so the document comes first. Static imports would not wait for it:
// modules that are imported together run side by side.
await import("../api/build.ts");
await import("../console/build.ts");
