/** Memory and time of processes, read from /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** USER_HZ of Linux: the ticks in which /proc counts the time of a process. */
const TICKS_PER_SECOND = 100;

const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, "utf8");

/** Returns the fields of /proc/PID/stat from the third on. The second is a name that may contain anything. */
function statOf(pid: number): string[] {
  const text = read(pid, "stat");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function statusBytes(pid: number, name: "VmRSS" | "VmHWM" | "RssAnon"): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(read(pid, "status"))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no ${name}`);
  return Number(kilobytes) * 1024;
}

/** Returns the resident memory now, in bytes. */
export const residentBytes = (pid: number): number => statusBytes(pid, "VmRSS");

/** Returns the largest resident memory so far, in bytes. */
export const peakResidentBytes = (pid: number): number => statusBytes(pid, "VmHWM");

/** Returns the resident memory now without pages of files, such as those of the program, in bytes. */
export const anonymousBytes = (pid: number): number => statusBytes(pid, "RssAnon");

/**
 * Returns the resident memory that may be written and executed, in bytes: in it, V8 keeps the code that it compiles.
 */
export function compiledBytes(pid: number): number {
  const mappings = read(pid, "smaps").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const kilobytes = mappings
    .filter((mapping) => /^\S+ rwxp /.test(mapping))
    .map((mapping) => Number(/^Rss:\s+(\d+) kB/m.exec(mapping)?.[1] ?? 0));
  return kilobytes.reduce((sum, each) => sum + each, 0) * 1024;
}

/** Returns the CPU time of all threads of the process, in milliseconds. */
export function computedMs(pid: number): number {
  const [user = "0", system = "0"] = statOf(pid).slice(11, 13);
  return ((Number(user) + Number(system)) * 1000) / TICKS_PER_SECOND;
}

/** Returns the processor time of all its threads so far, in milliseconds, to a nanosecond. */
export function runMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) => Number(read(pid, `task/${id}/schedstat`).split(" ")[0]));
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

/** Returns the ids of processes below `ancestor` that run a program of this name. */
export function descendants(ancestor: number, program: string): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    try {
      parents.set(pid, Number(statOf(pid)[1]));
    } catch {
      // The process ended meanwhile.
    }
  }
  const descends = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === ancestor || descends(parent));
  };
  return [...parents.keys()].filter((pid) => descends(pid) && nameOf(pid) === program);
}

function nameOf(pid: number): string {
  try {
    return read(pid, "comm").trim();
  } catch {
    return "";
  }
}
