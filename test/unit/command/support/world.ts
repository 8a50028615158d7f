/** A world for commands in tests: texts instead of streams, and a service that a test answers for. */
import { Writable } from "node:stream";
import { run } from "../../../../src/command/run.ts";
import type { World } from "../../../../src/command/base/world.ts";

/** The result of a command line. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

function textStream(): { stream: Writable; read: () => string } {
  let text = "";
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream, read: () => text };
}

export const PLACE = {
  SILVERPRINT_URL: "http://service.test",
  SILVERPRINT_SPACE: "site",
  SILVERPRINT_KEY: "the-key",
};

/** Runs a command line in a world of a test. */
export async function runCommand(argv: readonly string[], parts: Partial<World> = {}): Promise<Ran> {
  const [out, err] = [textStream(), textStream()];
  const world: World = {
    env: PLACE,
    cwd: process.cwd(),
    stdout: out.stream,
    stderr: err.stream,
    isTerminal: false,
    hasColour: false,
    fetch: () => Promise.reject(new Error("No request was expected.")),
    // The service of a test answers for other servers as well.
    fetchFile: (address, { signal }) => world.fetch(new Request(address, { signal })),
    sleep: () => Promise.resolve(),
    ...parts,
  };
  const code = await run(argv, world);
  return { code, stdout: out.read(), stderr: err.read() };
}

/** Answers as the service does. */
export const answer = (body: unknown, status = 200, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
