/** What of the Workers' output a local start prints, and what it keeps for the case that one ends. */

/** Lines that are kept per Worker. */
const KEPT_LINES = 60;

/** What went wrong: wrangler's own errors, and what a Worker logged as an error, which is one JSON object. */
const isFault = (line: string): boolean => /\[wrangler:error\]|\[ERROR\]|"event":/.test(line);

export interface WorkerOutput {
  /** @param isError whether the line came through the standard error */
  take: (text: string, isError: boolean) => void;
  /** The last lines, printed or not. */
  tail: () => string;
}

/**
 * @param isWhole with a sample of requests in the log, everything is printed; else faults alone
 * @param print is given whole lines, with the Worker's name before them
 */
export function workerOutput(name: string, isWhole: boolean, print: (line: string) => void): WorkerOutput {
  const kept: string[] = [];
  return {
    take(text, isError) {
      for (const line of text.split("\n")) {
        if (line.trim() === "") continue;
        kept.push(`[${name}] ${line}`);
        if (kept.length > KEPT_LINES) kept.shift();
        if (isWhole || (isError && isFault(line))) print(`[${name}] ${line}`);
      }
    },
    tail: () => kept.join("\n"),
  };
}
