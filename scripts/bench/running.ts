/** Starts the service for a bench, fills a space with masters, and observes the builder's process from outside. */
import { readFileSync } from "node:fs";
import { newSpace, upload, type Space } from "../harness/api.ts";
import { newDataDir, removeDataDir, startService, type Service } from "../harness/service.ts";
import { heapBytes } from "./inspector.ts";
import { descendants, peakResidentBytes, residentBytes } from "../harness/processes.ts";

export interface Running {
  service: Service;
  /** The workerd that runs the builder. */
  builderPid: number;
  /** The builder's HTTP address. It answers 404 to everything, from the thread that builds. */
  builderUrl: URL;
  /** The growth of the peak size of the builder's process since before the first build. */
  growthBytes: () => number;
  /** What V8 counts in the builder's isolate, without WebAssembly memories. Null if the inspector does not answer. */
  heapBytes(): Promise<number | null>;
}

const argumentsOf = (pid: number): string[] => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");

/** Wrangler runs two workerds: its proxy, and the Worker's, which has an inspector. */
const isWorkers = (pid: number): boolean =>
  argumentsOf(pid).some((argument) => argument.startsWith("--inspector-addr"));

/** Starts the service on new data, and always stops it and removes the data afterwards. */
export async function whileRunning(use: (running: Running) => Promise<void>): Promise<void> {
  const dataDir = newDataDir();
  const service = await startService({ dataDir });
  try {
    const [wrangler] = await service.processes(/src\/builder\/wrangler\.toml/);
    const builderPid = wrangler && descendants(wrangler, "workerd").find(isWorkers);
    if (!wrangler || !builderPid) throw new Error("the builder's process is not running");
    const given = argumentsOf(wrangler);
    const portOf = (flag: string): number => Number(given[given.indexOf(flag) + 1]);
    const builderUrl = new URL(`http://127.0.0.1:${portOf("--port")}/healthz`);
    const idleBytes = residentBytes(builderPid);
    const growthBytes = (): number => peakResidentBytes(builderPid) - idleBytes;
    const heap = (): Promise<number | null> => heapBytes(portOf("--inspector-port"));
    await use({ service, builderPid, builderUrl, growthBytes, heapBytes: heap });
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
