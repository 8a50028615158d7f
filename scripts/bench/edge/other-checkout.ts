/** A part of a bench that runs in another checkout, by that checkout's own scripts. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const FLAG = "--other=";

/** Returns the folder of the flag `--other=CHECKOUT`. */
export const otherOf = (flags: readonly string[]): string | undefined =>
  flags.find((flag) => flag.startsWith(FLAG))?.slice(FLAG.length);

export interface Other<Said> {
  said: Said;
  stop(): Promise<void>;
}

/**
 * Runs a script of this checkout in another one, whose packages and generated files are there.
 * @returns the line of JSON that it prints once it answers
 * @throws Error when it ends before
 */
export async function startOther<Said>(
  script: URL,
  checkout: string,
  args: readonly string[] = [],
): Promise<Other<Said>> {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    cwd: resolve(checkout),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((settle) => child.on("close", () => settle()));
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith("{")) continue;
    const stop = (): Promise<void> => {
      child.stdin.end();
      return ended;
    };
    return { said: JSON.parse(line) as Said, stop };
  }
  throw new Error(`${script.pathname} did not start in ${checkout}`);
}
