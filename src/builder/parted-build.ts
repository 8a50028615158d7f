/** A build that goes on only when the next part of its file is asked for. */
import type { BuildFacts, BuildFailure, BuiltPart, RestOfBuild } from "../image/protocol/build.ts";
import { ABANDONED_MS, type Sending } from "./streams/portable-output.ts";
import type { BuildPlan } from "../image/plan/build-plan.ts";
import { buildVariant, type Built } from "./build.ts";
import type { Part, Parts } from "./streams/parts.ts";
import type { BuildSession } from "./build-session.ts";

/** Makes a stream of a part's pieces, which are its own from then on. */
export type Send = (pieces: Uint8Array<ArrayBuffer>[], byteLength: number, of: Sending) => BuiltPart["body"];

export class PartedBuild implements RestOfBuild {
  readonly #session: BuildSession<BuildPlan>;
  readonly #send: Send;
  readonly #abandonedMs: number;
  readonly #parts: Parts<Built>;
  /** The part that was given last: settled when it was taken, or nobody wants it any more. */
  #isSent: Promise<void> = Promise.resolve();
  #heldBytes = 0;
  #abandonment: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(session: BuildSession<BuildPlan>, send: Send, abandonedMs = ABANDONED_MS) {
    this.#session = session;
    this.#send = send;
    this.#abandonedMs = abandonedMs;
    this.#parts = buildVariant(session.context);
  }

  /**
   * Builds the next part. Must be called for each part, the first one too, and not before the one before was answered.
   */
  async next(): Promise<BuiltPart | BuildFailure> {
    this.#stopWaiting();
    await this.#isSent;
    try {
      this.#throwIfOver();
      const { done, value } = await this.#parts.next();
      this.#throwIfOver();
      if (!done) return this.#answer(value, null);
      const { size, crop } = this.#session.context.plan;
      await this.#close(value.byteLength);
      const { peakBytes, learned } = value;
      const facts = { width: size.width, height: size.height, peakBytes };
      return this.#answer(value, { ...facts, ...(crop && { crop }), ...(learned && { learned }) });
    } catch (error) {
      try {
        return this.#session.failed(error, "encode");
      } finally {
        await this.#close(0);
      }
    }
  }

  /** Breaks the build off, unless it is over. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopWaiting();
    // First, reads that wait for more of the master are ended.
    await this.#session.source.close();
    await this.#parts.return(undefined as never).catch(() => undefined);
    await this.#session.end(this.#heldBytes);
  }

  #answer({ pieces, byteLength }: Part, facts: BuildFacts | null): BuiltPart {
    this.#heldBytes = byteLength;
    let sent = (): void => undefined;
    this.#isSent = new Promise((resolve) => (sent = resolve));
    const ended = (): void => {
      this.#heldBytes = 0;
      sent();
      if (this.#isOver) this.#session.release();
      else this.#abandonment = setTimeout(() => void this.end(), this.#abandonedMs);
    };
    const body = this.#send(pieces, byteLength, { ended, abandonedMs: this.#abandonedMs });
    return { ok: true, byteLength, body, facts };
  }

  /** @param heldBytes of the file, until they were taken */
  #close(heldBytes: number): Promise<void> {
    this.#isOver = true;
    return this.#session.end(heldBytes);
  }

  #throwIfOver(): void {
    if (this.#isOver) throw new Error("the build is over");
  }

  #stopWaiting(): void {
    if (this.#abandonment !== undefined) clearTimeout(this.#abandonment);
  }
}
