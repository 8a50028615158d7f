/** One core for two that are compared: `sharp.concurrency(1)` alone leaves libvips a thread that decodes ahead. */
import { spawnSync } from "node:child_process";

/** taskset of util-linux on all threads of this process; those that they start follow them. Null where it is missing. */
function taskset(...cores: string[]): string | null {
  const flags = [...(cores.length > 0 ? ["-a"] : []), "-c", "-p", ...cores, String(process.pid)];
  const { status, stdout } = spawnSync("taskset", flags, { encoding: "utf8" });
  return status === 0 ? stdout : null;
}

/** The core that `list` ("0-3,6") names last. */
const lastOf = (list: string): string | undefined => /\d+$/.exec(list)?.[0];

/**
 * Does `work` with all threads of this process on one core, and those of processes that it starts.
 * @param work gets the core's number, or null where the system has no way to
 */
export async function onOneCore(work: (core: string | null) => Promise<void>): Promise<void> {
  const allowed = taskset()?.split(":").at(-1)?.trim() ?? "";
  const core = lastOf(allowed);
  if (core === undefined || taskset(core) === null) return work(null);
  try {
    await work(core);
  } finally {
    taskset(allowed);
  }
}
