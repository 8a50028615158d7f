/** Everything that is generated and not in the repository: version, WebAssembly modules, API document, console. */
import "./version.ts";
import "./packages.ts";
import "../wasm/build.ts";
import "../api/build.ts";
import "../console/build.ts";
