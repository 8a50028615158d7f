/** How Vite builds the console: two pages, files named by their content, no inline script or style (its CSP has none). */
import { join } from "node:path";
import type { InlineConfig } from "vite";

/** @param out the folder that answers `/console/` */
export const consoleConfig = (root: string, out: string): InlineConfig => ({
  configFile: false,
  root: join(root, "src/console"),
  publicDir: join(root, "src/console/public"),
  base: "/console/",
  logLevel: "warn",
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
      },
      output: {
        // The page of the API reference is written before they are built, and names them.
        entryFileNames: ({ name }) => (name === "docs" ? "docs.js" : "assets/[name]-[hash].js"),
        assetFileNames: ({ names: [name = ""] }) =>
          name === "docs.css" ? "docs.css" : "assets/[name]-[hash][extname]",
      },
    },
  },
});
