/** The calls of the fake builder in the present test, and its next behaviours. */
import { CENTRE } from "../../../../src/image/geometry/focal-point.ts";
import type { BuildAnswer, BuildFacts, BuildOrder } from "../../../../src/image/protocol/build.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../../../../src/image/protocol/placeholder.ts";

export interface Call {
  room: number;
  order: BuildOrder;
  readMaster: () => Promise<string>;
  /** Returns null when the master is gone. Undefined when the order does not allow it. */
  readRange: ((offset: number, length: number) => Promise<string | null>) | undefined;
}

/** Decides the answer to a call. */
export type Behaviour = (call: Call) => BuildAnswer | Promise<BuildAnswer>;

export interface PlaceholderCall {
  room: number;
  order: PlaceholderOrder;
  readMaster: () => Promise<string>;
}
export type PlaceholderBehaviour = (call: PlaceholderCall) => PlaceholderAnswer | Promise<PlaceholderAnswer>;

export const FACTS = { width: 1, height: 1, peakBytes: 1000 };
/** By the clock of a builder that computes in no time. */
export const TIMES = { ms: 0, masterMs: 0 };

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new TextEncoder().encode(text));

/** Returns a stream of pieces that are pulled one by one, like those of the real builder. */
export function streamOf(...pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  const rest = pieces.toReversed();
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = rest.pop();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Returns an answer with `text` as its file, in two pieces. `byteLength` may promise another length. */
export function answer(
  text: string,
  byteLength = bytesOf(text).byteLength,
): BuildAnswer & { facts: BuildFacts } {
  const body = streamOf(bytesOf(text.slice(0, 3)), bytesOf(text.slice(3)));
  return { ok: true, byteLength, body, facts: FACTS, rest: null, ...TIMES };
}

/** Builds by default: a small file whose text names the master and the width. */
export const build: Behaviour = async ({ order, readMaster }) => {
  const whole = answer(`${await readMaster()} at ${order.spec.width}`);
  const { crop } = order.plan;
  return { ...whole, ...(crop && { facts: { ...FACTS, crop } }) };
};

export const PLACEHOLDER = { thumbHash: "1QcSHQRnh493V4dIh4eXh1h4kJUI", dominantColor: "#336699" };

export const makes: PlaceholderBehaviour = async ({ readMaster }) => {
  await readMaster();
  return { ok: true, placeholder: PLACEHOLDER, focalPoint: CENTRE, peakBytes: 1000 };
};

/** The calls of the builder during one test, and its next behaviours. */
export class Seen {
  readonly placeholderCalls: PlaceholderCall[] = [];
  nextPlaceholders: PlaceholderBehaviour[] = [];
  alwaysPlaceholder: PlaceholderBehaviour = makes;
  readonly calls: Call[] = [];
  partsAsked = 0;
  disposed = 0;
  running = 0;
  runningMax = 0;
  pings = 0;
  reachable = true;
  /** Rooms whose isolate computes in one piece: they answer no ping. With "all", they take no order either. */
  readonly blocked = new Map<number, "pings" | "all">();
  next: Behaviour[] = [];
  always: Behaviour = build;
}

let present = new Seen();

export const seen = (): Seen => present;

/** Starts anew. Calls that are still running count for the test that made them. */
export const forget = (): void => void (present = new Seen());

/** Polls `condition`. A promise must not be resolved from another object's context, so nothing can be signalled. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await scheduler.wait(2);
}
