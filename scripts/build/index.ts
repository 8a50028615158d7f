/** Everything that is generated and not in the repository: the version, WebAssembly modules, and the API document. */
import "./version.ts";
import "../wasm/build.ts";
import "../api/build.ts";
