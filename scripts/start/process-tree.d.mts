import type { ChildProcess } from "node:child_process";

export function parentOf(pid: number): number;
export function watchStarters(): () => boolean;
export function descendantsOf(ancestor: number): Map<number, string>;
export function survivorsOf(processes: ReadonlyMap<number, string>): number[];
export function endTree(child: ChildProcess, signal: NodeJS.Signals, graceMs: number): Promise<void>;
