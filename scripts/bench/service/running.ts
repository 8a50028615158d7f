/** Starts the service for a bench, fills a space with masters, and observes the builder's process from outside. */
import { newSpace, upload, type Space } from "../../harness/api.ts";
import { freePort } from "../../start/ports.ts";
import { newDataDir, removeDataDir, startService, type Service } from "../../harness/service.ts";
import { Inspector } from "./inspector.ts";
import { peakResidentBytes, residentBytes } from "../../harness/processes.ts";

export interface Running {
  service: Service;
  /** The workerd that runs the builder. */
  builderPid: number;
  /** The builder's HTTP address. It answers 404 to everything, from the thread that builds. */
  builderUrl: URL;
  /** The growth of the peak size of the builder's process since before the first build. */
  growthBytes: () => number;
  /** Opens a connection to the builder's inspector. @throws Error if the service runs without one */
  inspect(): Promise<Inspector>;
}

/** Starts the service on new data, and always stops it and removes the data afterwards. */
export async function whileRunning(
  use: (running: Running) => Promise<void>,
  { isInspected = false } = {},
): Promise<void> {
  const dataDir = newDataDir();
  const inspectorPort = await freePort();
  const env = isInspected ? { INSPECTOR_PORT: String(inspectorPort) } : {};
  const service = await startService({ dataDir, env });
  try {
    const builderPid = await service.builderPid();
    const builderUrl = new URL("/healthz", service.builderUrl);
    const idleBytes = residentBytes(builderPid);
    const growthBytes = (): number => peakResidentBytes(builderPid) - idleBytes;
    // The builder's is the port after the edge Worker's.
    const inspect = (): Promise<Inspector> => Inspector.open(inspectorPort + 1);
    await use({ service, builderPid, builderUrl, growthBytes, inspect });
  } finally {
    await service.stop();
    removeDataDir(dataDir);
  }
}

/** Makes a space with these masters. Returns their ids in the same order. */
export async function spaceWith(
  service: Service,
  masters: Buffer[],
): Promise<{ space: Space; ids: string[] }> {
  const space = await newSpace(service);
  const ids: string[] = [];
  for (const master of masters) ids.push((await upload(space, master)).id);
  return { space, ids };
}
