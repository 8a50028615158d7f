/** What the kernel knows of a process: memory and time, read from /proc. */
import { readdirSync, readFileSync } from "node:fs";

/** Linux's USER_HZ, in which /proc counts a process's time. */
const TICKS_A_SECOND = 100;

const read = (pid: number, file: string): string => readFileSync(`/proc/${pid}/${file}`, "utf8");

/** The fields of /proc/PID/stat from the third on: what is before them is a name that may hold anything. */
function statOf(pid: number): string[] {
  const text = read(pid, "stat");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

function statusBytes(pid: number, name: "VmRSS" | "VmHWM"): number {
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(read(pid, "status"))?.[1];
  if (kilobytes === undefined) throw new Error(`process ${pid} has no ${name}`);
  return Number(kilobytes) * 1024;
}

/** What is resident now. */
export const residentBytes = (pid: number): number => statusBytes(pid, "VmRSS");

/** The most that was ever resident. */
export const peakResidentBytes = (pid: number): number => statusBytes(pid, "VmHWM");

/** Milliseconds that all its threads have computed. */
export function computedMs(pid: number): number {
  const [user = "0", system = "0"] = statOf(pid).slice(11, 13);
  return ((Number(user) + Number(system)) * 1000) / TICKS_A_SECOND;
}

/** The processes that descend from `ancestor` and run a program of this name. */
export function descendants(ancestor: number, program: string): number[] {
  const parents = new Map<number, number>();
  for (const entry of readdirSync("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    try {
      parents.set(pid, Number(statOf(pid)[1]));
    } catch {
      // It ended meanwhile.
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
