/**
 * Vite's configuration for the console: two pages and a Worker. Files are named by their content. No script or style is
 * inline, because the console's Content-Security-Policy forbids it.
 */
import { join } from "node:path";
import type { InlineConfig, Plugin } from "vite";

/** The HEIC decoder's package imports these on Node only. In the browser they are empty modules. */
const NODE_MODULES = ["fs", "path", "crypto"];
const withoutNode: Plugin = {
  name: "without-node",
  enforce: "pre",
  resolveId: (id, importer) =>
    NODE_MODULES.includes(id) && importer?.includes("libheif-js") === true ? "\0nothing" : null,
  load: (id) => (id === "\0nothing" ? "export {}" : null),
};

/** @param out the folder that is served at `/console/` */
export const consoleConfig = (root: string, out: string): InlineConfig => ({
  configFile: false,
  root: join(root, "src/console"),
  publicDir: join(root, "src/console/public"),
  base: "/console/",
  logLevel: "warn",
  plugins: [withoutNode],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: out,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The viewer of the API reference is one large file. Only its own page loads it.
    chunkSizeWarningLimit: 1600,
    rolldownOptions: {
      input: {
        index: join(root, "src/console/index.html"),
        docs: join(root, "src/console/docs/docs.ts"),
        heic: join(root, "src/console/heic/worker.ts"),
      },
      output: {
        // These names stay fixed, because code outside of this build refers to them: the page of the API reference, and
        // the code that starts the decoder.
        entryFileNames: ({ name }) =>
          name === "docs" || name === "heic" ? "[name].js" : "assets/[name]-[hash].js",
        assetFileNames: ({ names: [name = ""] }) =>
          name === "docs.css" ? "docs.css" : "assets/[name]-[hash][extname]",
      },
    },
  },
});
