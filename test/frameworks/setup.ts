/** For all apps: one service with four pictures, and the package as it would be published. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { newDataDir, removeDataDir, startService } from "../../scripts/harness/service.ts";
import { writePackage } from "../../scripts/package/write-package.ts";
import { uploadPictures, type MediaByName } from "./support/pictures.ts";

declare module "vitest" {
  interface ProvidedContext {
    frameworks: {
      folder: string;
      tarball: string;
      media: MediaByName;
      service: { base: string; rootToken: string };
    };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "silverprint-frameworks-"));
  const dataDir = newDataDir();
  const service = await startService({ dataDir, env: { REMOTE_TEST_ORIGINS: "1" } });
  const media = await uploadPictures(service.base, service.rootToken);
  const built = join(folder, "package");
  await writePackage(built);
  const packed = execFileSync("npm", ["pack", built, "--pack-destination", folder, "--json"]).toString();
  const [{ filename }] = Object.values(JSON.parse(packed) as object) as [{ filename: string }];
  const { base, rootToken } = service;
  project.provide("frameworks", {
    ...{ folder, tarball: join(folder, filename), media },
    service: { base, rootToken },
  });
  return async () => {
    await service.stop();
    removeDataDir(dataDir);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}
