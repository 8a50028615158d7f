/** Everything outside of the command that it reads or writes, so that tests can stand in for it. */
import type { Writable } from "node:stream";
import { fetchFile, type FileRequest } from "./fetch-file.ts";

export interface World {
  /** The environment variables. */
  env: Readonly<Record<string, string | undefined>>;
  /** The folder that relative paths start from. */
  cwd: string;
  /** For the result of a command alone, so that it can be piped. */
  stdout: Writable;
  /** For progress, questions and errors. */
  stderr: Writable;
  /** Whether a person reads standard error and can answer questions. */
  isTerminal: boolean;
  /** Whether standard output takes colours. */
  hasColour: boolean;
  /** Sends a request to the service. */
  fetch: (request: Request) => Promise<Response>;
  /** Fetches a file from an address that an export names. @throws PrivateAddress, unless such addresses are allowed */
  fetchFile: (address: string, asked: FileRequest) => Promise<Response>;
  /** Waits, before a request is sent again or the progress of the service is asked for. */
  sleep: (ms: number) => Promise<void>;
}

/** Returns the world of this process. */
export function worldOfProcess(): World {
  const { env, stdin, stdout, stderr } = process;
  const isPlain = (env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb";
  return {
    env,
    cwd: process.cwd(),
    stdout,
    stderr,
    isTerminal: stdin.isTTY && stderr.isTTY && env["CI"] === undefined,
    hasColour: stdout.isTTY && !isPlain,
    fetch: (request) => fetch(request),
    fetchFile,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
}
