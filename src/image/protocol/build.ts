/**
 * What the queue and the builder say to each other. Messages cross a roll-out between versions: fields are added,
 * never renamed or removed. Errors lose their class on the way, so answers are unions.
 */
import type { MasterFacts } from "../model/facts.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../plan/plan-placeholder.ts";
import type { VariantSpec } from "../model/variant.ts";

/** One build, whole: a pure function of this and the master's bytes. */
export interface BuildOrder {
  spec: VariantSpec;
  facts: MasterFacts;
  sourceBytes: number;
  /** The plan's predicted peak, which the builder's ledger books. */
  peakBytes: number;
}

/**
 * Reads `length` bytes of the master at `offset` once more; null when it is gone. Sent along with masters of which the
 * builder needs several places at once (`isReadAgain` in cost-decode.ts).
 */
export type ReadRange = ((offset: number, length: number) => Promise<ReadableStream<Uint8Array> | null>) &
  Partial<Disposable>;

/** Facts of a finished build, for the log and for the test that holds the ledger to the truth. */
export interface BuildFacts {
  width: number;
  height: number;
  peakBytes: number;
}

/** A variant's file, or a part of it: all but the last have MULTIPART.partBytes. */
export interface BuiltPart {
  ok: true;
  byteLength: number;
  body: ReadableStream<Uint8Array>;
  /** With the last part; null while more is to come. */
  facts: BuildFacts | null;
}

/** The picture cannot be built; trying again gives the same. */
export interface BuildFailure {
  ok: false;
  code: "failed";
  reason: string;
}

/**
 * A build whose file does not fit one part. It rests until the next one is asked for, and is broken off when nobody
 * asks, or nobody has it any more.
 */
export interface RestOfBuild {
  /** @throws Error only when the master did not arrive whole, or the build was broken off */
  next(): Promise<BuiltPart | BuildFailure>;
}

export type BuildAnswer =
  | (BuiltPart & ({ facts: BuildFacts; rest: null } | { facts: null; rest: RestOfBuild }))
  /** Does not fit beside what runs here: try later or elsewhere. Nothing of the master was read. */
  | { ok: false; code: "busy" }
  | BuildFailure;

/** The builder's Durable Object as the edge calls it. Named `{spaceId}#{n}`; it stores nothing. */
export interface BuildRoomApi {
  build(order: BuildOrder, master: ReadableStream<Uint8Array>, readRange?: ReadRange): Promise<BuildAnswer>;
  /** Gives way to a build that comes meanwhile, of this space or of another one in the same isolate. */
  placeholder(
    order: PlaceholderOrder,
    master: ReadableStream<Uint8Array>,
    readRange?: ReadRange,
  ): Promise<PlaceholderAnswer>;
  ping(): Promise<{ ok: true; version: string }>;
}
