/**
 * What the queue and the builder say to each other. Messages cross a roll-out between versions: fields are added,
 * never renamed or removed. Errors lose their class on the way, so answers are unions.
 */
import type { MasterFacts } from "../model/facts.ts";
import type { Rect } from "../model/size.ts";
import type { VariantSpec } from "../model/variant.ts";
import type { BuildPlan } from "../plan/build-plan.ts";
import type { Failure } from "./failure.ts";
import type { NotNow } from "./not-now.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "./placeholder.ts";

/** One build, whole: a pure function of this and the master's bytes. */
export interface BuildOrder {
  spec: VariantSpec;
  facts: MasterFacts;
  sourceBytes: number;
  /** The plan's peak, which the builder reserves. */
  peakBytes: number;
  /** What is to be done. The builder plans for itself where an older edge sent none. */
  plan?: BuildPlan;
  /** Of the encoders that the variant's name promises: ENCODER_VERSION. Absent from an older edge. */
  encoderVersion?: number;
  /** For how long no room has had place for it. */
  waitedMs?: number;
}

/** What an order without `encoderVersion` promises: the version when the field came. */
export const UNNAMED_ENCODER_VERSION = 1;

/** Opens the master, once there is room for its build. Null when it is gone. */
export type OpenMaster = (() => Promise<ReadableStream<Uint8Array> | null>) & Partial<Disposable>;

/**
 * Reads `length` bytes of the master at `offset` again; null when it is gone. Sent along with masters of which the
 * builder needs several places at once (PNG with its passes side by side).
 */
export type ReadRange = ((offset: number, length: number) => Promise<ReadableStream<Uint8Array> | null>) &
  Partial<Disposable>;

/** What a build found out about a master that was stored before its frames were counted. */
export interface LearnedFacts {
  frames: number | null;
  animated: boolean;
}

/** Facts of a finished build, for the log and for the test that holds the plan to the truth. */
export interface BuildFacts {
  width: number;
  height: number;
  peakBytes: number;
  learned?: LearnedFacts;
  /** The crop of the plan, where it had one. An older builder does not know crops, and shows the whole instead. */
  crop?: Rect;
}

/** A variant's file, or a part of it: all but the last have MULTIPART.partBytes. */
export interface BuiltPart {
  ok: true;
  byteLength: number;
  body: ReadableStream<Uint8Array>;
  /** With the last part; null while more is to come. */
  facts: BuildFacts | null;
}

/** The picture cannot be built. */
export interface BuildFailure {
  ok: false;
  code: "failed";
  reason: string;
  /** An older builder does not say: the file is taken for corrupt then. */
  failure?: Failure;
  learned?: LearnedFacts;
}

/**
 * A build whose file does not fit one part. It rests until the next one is asked for, and is broken off when nobody
 * asks, or nobody has it any more.
 */
export interface RestOfBuild {
  /** @throws Error only when the master did not arrive whole, or the build was broken off */
  next(): Promise<BuiltPart | BuildFailure>;
}

export type BuildAnswer = (
  | (BuiltPart & ({ facts: BuildFacts; rest: null } | { facts: null; rest: RestOfBuild }))
  | NotNow
  | BuildFailure
) & {
  /** A name for the isolate that answered, for the log. */
  isolate?: string;
};

/** The builder's Durable Object as the edge calls it. Named `{spaceId}#{n}`; it stores nothing. */
export interface BuildRoomApi {
  /** Makes room first, and opens the master then. */
  buildFrom(order: BuildOrder, open: OpenMaster, readRange?: ReadRange): Promise<BuildAnswer>;
  /** Of an older edge, which opens the master before it asks. */
  build(order: BuildOrder, master: ReadableStream<Uint8Array>, readRange?: ReadRange): Promise<BuildAnswer>;
  /** Gives way to a build that comes meanwhile, of this space or of another one in the same isolate. */
  placeholderFrom(
    order: PlaceholderOrder,
    open: OpenMaster,
    readRange?: ReadRange,
  ): Promise<PlaceholderAnswer>;
  /** Of an older edge. */
  placeholder(
    order: PlaceholderOrder,
    master: ReadableStream<Uint8Array>,
    readRange?: ReadRange,
  ): Promise<PlaceholderAnswer>;
  ping(): Promise<{ ok: true; version: string }>;
}
