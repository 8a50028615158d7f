/** A run of vitest with the service of the end-to-end tests, and one test that lasts until it is ended. */
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/support/interrupted/endless.ts"],
    globalSetup: "./test/e2e/setup.ts",
    testTimeout: 0,
  },
});
