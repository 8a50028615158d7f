/** The behaviours that a test can give the fake builder. */
import { RpcTarget } from "cloudflare:workers";
import type { BuildFailure, BuiltPart, RestOfBuild } from "../../../../src/image/protocol/build.ts";
import type { Failure } from "../../../../src/image/protocol/failure.ts";
import {
  type Behaviour,
  build,
  bytesOf,
  FACTS,
  seen,
  type Seen,
  streamOf,
  TIMES,
  until,
} from "./builder-calls.ts";

type NextPart = () => BuiltPart | BuildFailure | Promise<BuiltPart | BuildFailure>;

class Rest extends RpcTarget implements RestOfBuild {
  readonly #parts: NextPart[];
  readonly #seen: Seen;
  #asked = 0;

  constructor(parts: NextPart[]) {
    super();
    this.#parts = parts;
    this.#seen = seen();
  }

  async next(): Promise<BuiltPart | BuildFailure> {
    this.#seen.partsAsked += 1;
    const part = this.#parts[this.#asked++];
    if (!part) throw new Error("There are no more parts.");
    return part();
  }

  [Symbol.dispose](): void {
    this.#seen.disposed += 1;
  }
}

/** Returns a further part of a file that comes in parts. */
export const part =
  (bytes: Uint8Array, isLast = false): NextPart =>
  () => ({
    ok: true,
    byteLength: bytes.length,
    body: streamOf(bytes),
    facts: isLast ? FACTS : null,
  });

/** Answers with a first part. The others follow when they are asked for. */
export const inParts =
  (first: Uint8Array, ...others: NextPart[]): Behaviour =>
  async ({ readMaster }) => {
    await readMaster();
    return {
      ok: true,
      byteLength: first.length,
      body: streamOf(first),
      facts: null,
      rest: new Rest(others),
      ...TIMES,
    };
  };

/** Refuses because it is busy. As the protocol demands, it does not read the master. */
export const busy: Behaviour = () => ({ ok: false, code: "busy" });

export const CORRUPT: Failure = { code: "corrupt", stage: "decode" };

/** Fails because the file is corrupt, unless `more` says otherwise. */
export const fails =
  (
    reason: string,
    more: Partial<Pick<BuildFailure, "failure" | "learned">> & { isolate?: string } = {},
  ): Behaviour =>
  () => ({ ok: false, code: "failed", reason, failure: CORRUPT, ...more });

export const refuses =
  (code: "busy" | "version", isolate?: string): Behaviour =>
  () => ({ ok: false, code, ...(isolate ? { isolate } : {}) });

export const crashes: Behaviour = () => {
  throw new Error("Network connection lost.");
};

/** Answers with a body that ends with an error half-way. */
export const breaksOff: Behaviour = () => {
  const { readable, writable } = new FixedLengthStream(100);
  const writer = writable.getWriter();
  void writer
    .write(bytesOf("the first half"))
    .then(() => writer.abort(new Error("trap")))
    .catch(() => undefined);
  return { ok: true, byteLength: 100, body: readable, facts: FACTS, rest: null, ...TIMES };
};

/** Delays builds until it is opened. */
export class Gate {
  #isOpen = false;
  readonly hold: Behaviour = async (call) => {
    await until(() => this.#isOpen);
    return build(call);
  };
  open(): void {
    this.#isOpen = true;
  }
}

/** Waits until its test is over. It polls, because workerd ends a call that can never be resolved. */
export const hangs = async (): Promise<never> => {
  const mine = seen();
  await until(() => seen() !== mine);
  throw new Error("The test is over.");
};
