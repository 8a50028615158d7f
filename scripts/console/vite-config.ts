/** How Vite builds the console: two pages and a Worker, files named by their content, no inline script or style (its CSP has none). */
import { join } from "node:path";
import type { InlineConfig, Plugin } from "vite";

/** The decoder's package asks for these on Node alone: nothing stands in for them in a browser. */
const NODE_MODULES = ["fs", "path", "crypto"];
const withoutNode: Plugin = {
  name: "without-node",
  enforce: "pre",
  resolveId: (id, importer) =>
    NODE_MODULES.includes(id) && importer?.includes("libheif-js") === true ? "\0nothing" : null,
  load: (id) => (id === "\0nothing" ? "export {}" : null),
};

/** @param out the folder that answers `/console/` */
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
    // The reference's viewer is one file of its package; it is loaded by its page alone.
    chunkSizeWarningLimit: 1600,
    rolldownOptions: {
      input: {
        index: join(root, "src/console/index.html"),
        docs: join(root, "src/console/docs/docs.ts"),
        heic: join(root, "src/console/heic/worker.ts"),
      },
      output: {
        // Named where they are not built: by the page of the API reference, and by what starts the decoder.
        entryFileNames: ({ name }) =>
          name === "docs" || name === "heic" ? "[name].js" : "assets/[name]-[hash].js",
        assetFileNames: ({ names: [name = ""] }) =>
          name === "docs.css" ? "docs.css" : "assets/[name]-[hash][extname]",
      },
    },
  },
});
