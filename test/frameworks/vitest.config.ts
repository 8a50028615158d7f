/** `npm run test:frameworks`: apart from the other tests, since it installs what it needs, some 800 MB, from npm. */
import { configDefaults, defineConfig } from "vitest/config";
import { TriedAgain } from "../support/tried-again.ts";

export default defineConfig({
  test: {
    name: "frameworks",
    root: "test/frameworks",
    include: ["*.test.ts"],
    globalSetup: "./setup.ts",
    // Each builds a site, which takes all cores.
    fileParallelism: false,
    // As in the second ring (vitest.config.ts).
    retry: 1,
    reporters: [...configDefaults.reporters, new TriedAgain()],
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
});
