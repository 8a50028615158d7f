/**
 * Keeps both sides of a comparison on one core. `sharp.concurrency(1)` alone leaves libvips a thread that decodes
 * ahead.
 */
import { spawnSync } from "node:child_process";

/**
 * Runs taskset of util-linux on all threads of this process. New threads inherit the setting. Null if it is missing.
 */
function taskset(...cores: string[]): string | null {
  const flags = [...(cores.length > 0 ? ["-a"] : []), "-c", "-p", ...cores, String(process.pid)];
  const { status, stdout } = spawnSync("taskset", flags, { encoding: "utf8" });
  return status === 0 ? stdout : null;
}

/** Returns the last core in `list`, such as "0-3,6". */
const lastOf = (list: string): string | undefined => /\d+$/.exec(list)?.[0];

/**
 * Runs `work` with all threads of this process, and of the processes that it starts, on one core.
 * @param work gets the core's number, or null where the system cannot do this
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
