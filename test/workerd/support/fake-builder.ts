/**
 * A builder that does as a test says. It lives in the isolate of the tests but is called as the real one is, so
 * streams and failures cross the same border.
 */
/* eslint-disable @typescript-eslint/require-await -- as the real builder, whose calls are async */
import { DurableObject, RpcTarget } from "cloudflare:workers";
import type {
  BuildAnswer,
  BuildFacts,
  BuildFailure,
  BuildOrder,
  BuildRoomApi,
  BuiltPart,
  OpenMaster,
  ReadRange,
  RestOfBuild,
} from "../../../src/image/protocol/build.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../../../src/image/protocol/placeholder.ts";

export interface Call {
  room: number;
  order: BuildOrder;
  readMaster: () => Promise<string>;
  /** Null when the master is gone; undefined when nobody lets the builder. */
  readRange: ((offset: number, length: number) => Promise<string | null>) | undefined;
}

/** What a call comes to. */
export type Behaviour = (call: Call) => BuildAnswer | Promise<BuildAnswer>;

const FACTS = { width: 1, height: 1, peakBytes: 1000 };

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** In pieces, pulled as the real one's are. */
function streamOf(...pieces: Uint8Array[]): ReadableStream<Uint8Array> {
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

/** An answer whose body need not hold what `byteLength` promises. It says of no crop, as an older builder does. */
export function answer(
  text: string,
  byteLength = bytesOf(text).byteLength,
): BuildAnswer & { facts: BuildFacts } {
  const body = streamOf(bytesOf(text.slice(0, 3)), bytesOf(text.slice(3)));
  return { ok: true, byteLength, body, facts: FACTS, rest: null };
}

type NextPart = () => BuiltPart | BuildFailure | Promise<BuiltPart | BuildFailure>;

class Rest extends RpcTarget implements RestOfBuild {
  readonly #parts: NextPart[];
  readonly #seen: Seen;
  #asked = 0;

  constructor(parts: NextPart[]) {
    super();
    this.#parts = parts;
    this.#seen = seen;
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

/** A part, as a body of its own. */
export const part =
  (bytes: Uint8Array, isLast = false): NextPart =>
  () => ({
    ok: true,
    byteLength: bytes.length,
    body: streamOf(bytes),
    facts: isLast ? FACTS : null,
  });

/** Answers with a first part; the others do as they are told. */
export const inParts =
  (first: Uint8Array, ...others: NextPart[]): Behaviour =>
  async ({ readMaster }) => {
    await readMaster();
    return { ok: true, byteLength: first.length, body: streamOf(first), facts: null, rest: new Rest(others) };
  };

/** Unless told otherwise: a small file that tells of which master it was made, and how wide. */
export const build: Behaviour = async ({ order, readMaster }) => {
  const whole = answer(`${await readMaster()} at ${order.spec.width}`);
  const crop = order.plan?.crop;
  return { ...whole, ...(crop && { facts: { ...FACTS, crop } }) };
};

/** As the contract has it, nothing of the master is read. */
export const busy: Behaviour = () => ({ ok: false, code: "busy" });

/** As an older builder says it, unless more is given. */
export const fails =
  (reason: string, more: Pick<BuildFailure, "failure" | "learned"> & { isolate?: string } = {}): Behaviour =>
  () => ({ ok: false, code: "failed", reason, ...more });

export const refuses =
  (code: "grown" | "version", isolate?: string): Behaviour =>
  () => ({ ok: false, code, ...(isolate ? { isolate } : {}) });

export const crashes: Behaviour = () => {
  throw new Error("Network connection lost.");
};

/** A body that breaks off with an error. */
export const breaksOff: Behaviour = () => {
  const { readable, writable } = new FixedLengthStream(100);
  const writer = writable.getWriter();
  void writer
    .write(bytesOf("the first half"))
    .then(() => writer.abort(new Error("trap")))
    .catch(() => undefined);
  return { ok: true, byteLength: 100, body: readable, facts: FACTS, rest: null };
};

/** Asks again and again: a promise must not be resolved from another object's context, so nothing is signalled. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await scheduler.wait(2);
}

/** Holds builds back until it is opened. */
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

/** Does not answer for as long as its test runs. (workerd itself ends a call that waits for nothing.) */
export const hangs = async (): Promise<never> => {
  const mine = seen;
  await until(() => seen !== mine);
  throw new Error("The test is over.");
};

export interface PlaceholderCall {
  room: number;
  order: PlaceholderOrder;
  readMaster: () => Promise<string>;
}
export type PlaceholderBehaviour = (call: PlaceholderCall) => PlaceholderAnswer | Promise<PlaceholderAnswer>;

export const PLACEHOLDER = { thumbHash: "1QcSHQRnh493V4dIh4eXh1h4kJUI", dominantColor: "#336699" };

export const makes: PlaceholderBehaviour = async ({ readMaster }) => {
  await readMaster();
  return { ok: true, placeholder: PLACEHOLDER, peakBytes: 1000 };
};

/** What one test has seen of the builder. */
class Seen {
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
  next: Behaviour[] = [];
  always: Behaviour = build;
}

let seen = new Seen();

export const builder = {
  /** Forgets all; calls still under way count for the test that made them. */
  reset: (): void => void (seen = new Seen()),
  /** The next calls do these, one after the other. */
  next: (...behaviours: Behaviour[]): void => void seen.next.push(...behaviours),
  /** All calls of which `next` says nothing do this. */
  always: (behaviour: Behaviour): void => void (seen.always = behaviour),
  nextPlaceholders: (...behaviours: PlaceholderBehaviour[]): void =>
    void seen.nextPlaceholders.push(...behaviours),
  alwaysPlaceholder: (behaviour: PlaceholderBehaviour): void => void (seen.alwaysPlaceholder = behaviour),
  placeholderOrders: (): PlaceholderOrder[] => seen.placeholderCalls.map((call) => call.order),
  placeholderRooms: (): number[] => seen.placeholderCalls.map((call) => call.room),
  placeholdersCalled: (count: number): Promise<void> => until(() => seen.placeholderCalls.length >= count),
  /** Down, every call and ping fails as when the process is gone. */
  setReachable: (reachable: boolean): void => void (seen.reachable = reachable),
  widths: (): number[] => seen.calls.map((call) => call.order.spec.width),
  orders: (): BuildOrder[] => seen.calls.map((call) => call.order),
  rooms: (): number[] => seen.calls.map((call) => call.room),
  partsAsked: (): number => seen.partsAsked,
  /** How often the rest of a build was let go. */
  disposed: (): number => seen.disposed,
  runningMax: (): number => seen.runningMax,
  pings: (): number => seen.pings,
  /** Resolves once the builder was called `count` times in all. */
  called: (count: number): Promise<void> => until(() => seen.calls.length >= count),
};

class MasterGone extends Error {}

/** The master, opened when a behaviour first reads it. */
function opening(open: OpenMaster): { read: () => Promise<string> } {
  return {
    async read() {
      const master = await open();
      if (!master) throw new MasterGone();
      return new Response(master).text();
    },
  };
}

export class BuildRoom extends DurableObject implements BuildRoomApi {
  /** Makes room, and opens the master only then. */
  async buildFrom(order: BuildOrder, open: OpenMaster, readRange?: ReadRange): Promise<BuildAnswer> {
    const master = opening(open);
    const now = seen;
    if (!now.reachable) throw new Error("Network connection lost.");
    const call = {
      room: Number(this.ctx.id.name?.split("#")[1]),
      order,
      readMaster: master.read,
      readRange:
        readRange &&
        (async (offset: number, length: number) => {
          const part = await readRange(offset, length);
          return part && new Response(part).text();
        }),
    };
    now.calls.push(call);
    now.running += 1;
    now.runningMax = Math.max(now.runningMax, now.running);
    try {
      return await (now.next.shift() ?? now.always)(call);
    } catch (error) {
      if (error instanceof MasterGone) return { ok: false, code: "gone" };
      throw error;
    } finally {
      now.running -= 1;
    }
  }

  build(): Promise<BuildAnswer> {
    throw new Error("An edge of this version asks for room first.");
  }

  async placeholderFrom(order: PlaceholderOrder, open: OpenMaster): Promise<PlaceholderAnswer> {
    const now = seen;
    if (!now.reachable) throw new Error("Network connection lost.");
    const call = {
      room: Number(this.ctx.id.name?.split("#")[1]),
      order,
      readMaster: opening(open).read,
    };
    now.placeholderCalls.push(call);
    try {
      return await (now.nextPlaceholders.shift() ?? now.alwaysPlaceholder)(call);
    } catch (error) {
      if (error instanceof MasterGone) return { ok: false, code: "gone" };
      throw error;
    }
  }

  placeholder(): Promise<PlaceholderAnswer> {
    throw new Error("An edge of this version asks for room first.");
  }

  async ping(): Promise<{ ok: true; version: string }> {
    seen.pings += 1;
    if (!seen.reachable) throw new Error("Network connection lost.");
    return { ok: true, version: "fake" };
  }
}
