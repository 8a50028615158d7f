/** Keeps an export from naming files of this machine that are not its own. */
import { isAbsolute, relative, resolve, sep } from "node:path";

/** Returns whether a path leads to a file in a folder: an export may name no other file of this machine. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, resolve(folder, path));
  return way !== "" && !isAbsolute(way) && way.split(sep)[0] !== "..";
}
