/**
 * Ends a process with all its descendants. Plain JavaScript for any Node from 18 on, because `scripts/run.mjs` uses it
 * before the pinned Node is installed.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";

const POLL_MS = 50;

const SHELL = /^-?(?:ba|da|a|k|z)?sh$/;

/** Fields of /proc/PID/stat, counted after the name, which may hold anything: the parent, and the start in ticks. */
const STAT_PARENT = 1;
const STAT_START = 19;

/** Identifies processes by id and start time, because ids are reused. */
function readProc() {
  const processes = new Map();
  for (const entry of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (fields[0] === "Z") continue;
      processes.set(Number(entry), { parent: Number(fields[STAT_PARENT]), start: fields[STAT_START] });
    } catch {
      // It ended meanwhile.
    }
  }
  return processes;
}

function readPs() {
  const { stdout } = spawnSync("ps", ["-A", "-o", "pid=,ppid=,lstart="], { encoding: "utf8" });
  const lines = (stdout ?? "").split("\n").map((line) => /^\s*(\d+)\s+(\d+)\s+(.+)$/.exec(line));
  return new Map(
    lines.filter(Boolean).map(([, pid, parent, start]) => [Number(pid), { parent: Number(parent), start }]),
  );
}

/** Returns all processes by id, each with its parent's id and its start. Empty if there is neither /proc nor ps. */
const allProcesses = () => (process.platform === "linux" ? readProc() : readPs());

const ps = (pid, field) =>
  (spawnSync("ps", ["-o", `${field}=`, "-p", String(pid)], { encoding: "utf8" }).stdout ?? "").trim();

/** @returns the parent's id; 0 when the process has ended or cannot be read */
export function parentOf(pid) {
  if (process.platform !== "linux") return Number(ps(pid, "ppid"));
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[STAT_PARENT]);
  } catch {
    return 0;
  }
}

function isShell(pid) {
  try {
    const command =
      process.platform === "linux" ? readFileSync(`/proc/${pid}/comm`, "utf8").trim() : ps(pid, "comm");
    return SHELL.test(basename(command));
  } catch {
    return false;
  }
}

/**
 * Watches the processes that started this one: its parent, and npm above it if there is a shell in between. A shell
 * does not notice that npm was killed, but its own parent changes then.
 *
 * @returns a function that says whether one of them has ended
 */
export function watchStarters() {
  const parent = process.ppid;
  const isBelowNpm = process.env["npm_lifecycle_event"] !== undefined && isShell(parent);
  const starter = isBelowNpm ? parentOf(parent) : 0;
  return () => process.ppid !== parent || (starter !== 0 && parentOf(parent) !== starter);
}

/** @returns the start of each descendant of the process `ancestor`, by id */
export function descendantsOf(ancestor) {
  const all = allProcesses();
  const found = new Map();
  let level = [ancestor];
  while (level.length > 0) {
    const parents = new Set(level);
    level = [...all]
      .filter(([pid, { parent }]) => parents.has(parent) && !found.has(pid))
      .map(([pid]) => pid);
    for (const pid of level) found.set(pid, all.get(pid).start);
  }
  return found;
}

/** @returns those of `processes` (start by id) that still run */
export function survivorsOf(processes) {
  const all = allProcesses();
  return [...processes].filter(([pid, start]) => all.get(pid)?.start === start).map(([pid]) => pid);
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended meanwhile.
  }
}

/**
 * Sends a signal to a child, waits until it and all its descendants have ended, and kills those that have not ended
 * within `graceMs`. The descendants are determined at the time of the call, so they are found even if the child ends
 * first.
 */
export async function endTree(child, signal, graceMs) {
  if (child.pid === undefined) return;
  const tree = descendantsOf(child.pid);
  child.kill(signal);
  const deadline = Date.now() + graceMs;
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  while ((isRunning() || survivorsOf(tree).length > 0) && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const late = isRunning() ? descendantsOf(child.pid) : new Map();
  child.kill("SIGKILL");
  for (const pid of survivorsOf(new Map([...tree, ...late]))) kill(pid, "SIGKILL");
}
