/**
 * Vite's configurations for the console: two pages, what the first one holds inline, and a Worker, each a build of its
 * own. Builds share no file, so that the console's first load is not cut up by what another page shares with it. Files
 * are named by their content.
 */
import { join } from "node:path";
import type { BuildEnvironmentOptions, InlineConfig, Plugin } from "vite";

/** The HEIC decoder's package imports these on Node only. In the browser they are empty modules. */
const NODE_MODULES = ["fs", "path", "crypto"];
const withoutNode: Plugin = {
  name: "without-node",
  enforce: "pre",
  resolveId: (id, importer) =>
    NODE_MODULES.includes(id) && importer?.includes("libheif-js") === true ? "\0nothing" : null,
  load: (id) => (id === "\0nothing" ? "export {}" : null),
};

const configOf = (
  root: string,
  outDir: string,
  options: BuildEnvironmentOptions["rolldownOptions"],
): InlineConfig => ({
  configFile: false,
  root: join(root, "src/console"),
  publicDir: false,
  base: "/console/",
  logLevel: "warn",
  plugins: [withoutNode],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir,
    emptyOutDir: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The viewer of the API reference is one large file. Only its own page loads it.
    chunkSizeWarningLimit: 1600,
    rolldownOptions: { checks: { bundlerTimings: false }, ...options },
  },
});

/** Returns the build of a script whose name stays fixed, because code outside of its build refers to it. */
const fixedName = (root: string, name: string, path: string, format: "es" | "iife" = "es") => ({
  input: { [name]: join(root, path) },
  output: {
    format,
    entryFileNames: "[name].js",
    assetFileNames: ({ names: [asset = ""] }: { names: string[] }) =>
      asset === `${name}.css` ? asset : "assets/[name]-[hash][extname]",
  },
});

/** @param out the folder that is served at `/console/`: empty before the first build, filled by all of them */
export const consoleConfigs = (root: string, out: string): InlineConfig[] => [
  {
    ...configOf(root, out, {
      input: { index: join(root, "src/console/index.html") },
      // The first page needs two files, whichever of the other pages share parts of it: packages change less often.
      output: {
        codeSplitting: {
          groups: [
            { name: "packages", tags: ["$initial"], test: /node_modules/, priority: 1 },
            { name: "shared", tags: ["$initial"] },
          ],
        },
      },
    }),
    publicDir: join(root, "src/console/public"),
  },
  // `inline.ts` puts this script into the console's page.
  configOf(root, out, fixedName(root, "first", "src/console/first.ts", "iife")),
  // The page of the API reference loads this script.
  configOf(root, out, fixedName(root, "docs", "src/console/docs/docs.ts")),
  // The code that starts the decoder names this Worker.
  configOf(root, out, fixedName(root, "heic", "src/console/heic/worker.ts")),
];
