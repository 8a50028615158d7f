/** `npm run test:frameworks`: apart from the other tests, since it installs what it needs, some 800 MB, from npm. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    name: "frameworks",
    root: "test/frameworks",
    include: ["*.test.ts"],
    globalSetup: "./setup.ts",
    // Each builds a site, which takes all cores.
    fileParallelism: false,
    // As in vitest.config.ts.
    retry: process.env["CI"] ? 1 : 0,
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
