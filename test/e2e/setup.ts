/** One service for all end-to-end tests that do not need one of their own. */
import type { TestProject } from "vitest/node";
import { newDataDir, removeDataDir, startService } from "../../scripts/harness/service.ts";

declare module "vitest" {
  interface ProvidedContext {
    service: { base: string; rootToken: string };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = newDataDir();
  const service = await startService({ dataDir, env: { REMOTE_TEST_ORIGINS: "1" } });
  project.provide("service", { base: service.base, rootToken: service.rootToken });
  return async () => {
    await service.stop();
    removeDataDir(dataDir);
  };
}
