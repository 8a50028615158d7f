/** Watches the memory of the edge Worker while something runs: what V8 counts in its isolate, and its process. */
import { Inspector } from "../../bench/service/inspector.ts";
import { peakResidentBytes } from "../../harness/processes.ts";
import type { Service } from "../../harness/service.ts";

const LOOK_MS = 4000;

export interface EdgeMemory {
  /** The most that was in use after V8 had collected garbage: objects, the runtime's objects behind them, and buffers. */
  liveBytes: number;
  /** The peak of the resident memory of the process, with the databases and the runtime. */
  processBytes: number;
}

/** Does work, and reads the memory meanwhile. Garbage is collected for each look, which slows the Worker. */
export async function watchEdge<T>(
  service: Service,
  inspectorPort: number,
  work: () => Promise<T>,
): Promise<{ result: T; memory: EdgeMemory }> {
  const inspector = await Inspector.open(inspectorPort, "edge");
  const pid = await service.edgePid();
  let isOver = false;
  let liveBytes = 0;
  const watching = (async (): Promise<void> => {
    while (!isOver) {
      const { usedSize, embedderHeapUsedSize, backingStorageSize } = await inspector.liveUsage();
      liveBytes = Math.max(liveBytes, usedSize + embedderHeapUsedSize + backingStorageSize);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  })();
  try {
    const result = await work();
    return { result, memory: { liveBytes, processBytes: peakResidentBytes(pid) } };
  } finally {
    isOver = true;
    await watching;
    inspector.close();
  }
}
