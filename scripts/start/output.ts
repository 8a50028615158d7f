/** Decides which output of the Workers a local start prints, and keeps the last lines in case a Worker ends. */

/** Lines that are kept per Worker. */
const KEPT_LINES = 60;

export interface WorkerOutput {
  /** @param isError whether it is an error: one that the Worker logged, or one of its runtime */
  take: (text: string, isError: boolean) => void;
  /** The last lines, printed or not. */
  tail: () => string;
}

/**
 * @param isWhole whether everything is printed, because requests are logged; else only errors are
 * @param print called with whole lines, each with the name of the Worker before it
 */
export function workerOutput(name: string, isWhole: boolean, print: (line: string) => void): WorkerOutput {
  const kept: string[] = [];
  return {
    take(text, isError) {
      for (const line of text.split("\n")) {
        if (line.trim() === "") continue;
        kept.push(`[${name}] ${line}`);
        if (kept.length > KEPT_LINES) kept.shift();
        if (isWhole || isError) print(`[${name}] ${line}`);
      }
    },
    tail: () => kept.join("\n"),
  };
}
