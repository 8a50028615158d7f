/**
 * The messages between the queue and the builder. During a roll-out, the two may have different versions, so fields are
 * added but never renamed or removed. Errors lose their class between Workers, so answers are unions.
 */
import type { MasterFacts } from "../model/facts.ts";
import type { Rect } from "../geometry/size.ts";
import type { VariantSpec } from "../model/variant.ts";
import type { BuildPlan } from "../plan/build-plan.ts";
import type { Failure } from "./failure.ts";
import type { NotNow } from "./not-now.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "./placeholder.ts";

/** One build. Its output depends on nothing but this order and the bytes of the master. */
export interface BuildOrder {
  spec: VariantSpec;
  facts: MasterFacts;
  sourceBytes: number;
  /** The plan's peak, which the builder reserves. */
  peakBytes: number;
  /** The plan to execute. Absent from an older edge; the builder then makes the plan itself. */
  plan?: BuildPlan;
  /** The ENCODER_VERSION of the edge. Absent from an older one. */
  encoderVersion?: number;
  /** For how long no builder has had room for this build. */
  waitedMs?: number;
  /** Whether a small file may be answered as bytes. Absent from an older edge, which knows only streams. */
  takesBytes?: boolean;
}

/** The encoder version of an order without `encoderVersion`: the version at the time when the field was added. */
export const UNNAMED_ENCODER_VERSION = 1;

/**
 * Opens the master. The builder calls it once there is room for the build. Null when the file no longer exists. A
 * builder that takes pieces says so; an older edge answers with a stream all the same.
 */
export type OpenMaster = ((as?: "pieces") => Promise<ReadableStream<Uint8Array> | MasterPieces | null>) &
  Partial<Disposable>;

/**
 * A master in pieces of MASTER_PIECES.bytes; only the last one may be shorter. Unlike a stream, whose bytes stop while
 * the builder computes, pieces that are asked for ahead are read and sent meanwhile.
 */
export interface MasterPieces extends Partial<Disposable> {
  first: Uint8Array<ArrayBuffer>;
  /**
   * The next piece; empty after the last one. MASTER_PIECES.aheadMax calls may wait for their answers at a time.
   * @throws Error when the master cannot be read, no longer exists, or is not wanted any more
   */
  next: () => Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Reads `length` bytes of the master at `offset` again; null when the file no longer exists. It is passed for masters
 * that the builder reads at several places at once (PNG whose passes are decoded in parallel).
 */
export type ReadRange = ((offset: number, length: number) => Promise<ReadableStream<Uint8Array> | null>) &
  Partial<Disposable>;

/** What a build found out about a master that was stored before the probe counted frames. */
export interface LearnedFacts {
  frames: number | null;
  animated: boolean;
}

/** Facts of a finished build, for the log and for the test that compares plans with real builds. */
export interface BuildFacts {
  width: number;
  height: number;
  peakBytes: number;
  learned?: LearnedFacts;
  /** The crop that was applied. Absent without one, and from an older builder, which builds the whole picture. */
  crop?: Rect;
}

/** A variant's file, or a part of it. All parts but the last have MULTIPART.partBytes. */
export interface BuiltPart {
  ok: true;
  byteLength: number;
  /** Bytes only where the order takes them. */
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
  /** Set with the last part; null before. */
  facts: BuildFacts | null;
}

/** The picture cannot be built. */
export interface BuildFailure {
  ok: false;
  code: "failed";
  reason: string;
  /** Absent from an older builder; the file is then treated as corrupt. */
  failure?: Failure;
  learned?: LearnedFacts;
}

/**
 * The rest of a build whose file does not fit one part. The build pauses until the next part is asked for. It is
 * cancelled when nobody asks in time, or when this object is disposed of.
 */
export interface RestOfBuild {
  /** @throws Error only when the master did not arrive whole, or the build was cancelled */
  next(): Promise<BuiltPart | BuildFailure>;
}

export type BuildAnswer = (
  | (BuiltPart & ({ facts: BuildFacts; rest: null } | { facts: null; rest: RestOfBuild }))
  | NotNow
  | BuildFailure
) & {
  /** A name of the isolate that answered, for the log. */
  isolate?: string;
  /** The milliseconds from the order to the first part, by the builder's clock. Absent from an older builder. */
  ms?: number;
  /** Of these, the milliseconds for which the master's bytes were waited for. Absent from an older builder. */
  masterMs?: number;
};

/** The builder's Durable Object, as the edge calls it. Its name is `{spaceId}#{n}`; it stores nothing. */
export interface BuildRoomApi {
  /** Builds a variant. It makes room first and opens the master after that. */
  buildFrom(order: BuildOrder, open: OpenMaster, readRange?: ReadRange): Promise<BuildAnswer>;
  /** The same for an older edge, which opens the master before it calls. */
  build(order: BuildOrder, master: ReadableStream<Uint8Array>, readRange?: ReadRange): Promise<BuildAnswer>;
  /** Makes a placeholder. It stops when a build arrives for this space, or for another one in the same isolate. */
  placeholderFrom(
    order: PlaceholderOrder,
    open: OpenMaster,
    readRange?: ReadRange,
  ): Promise<PlaceholderAnswer>;
  /** The same for an older edge. */
  placeholder(
    order: PlaceholderOrder,
    master: ReadableStream<Uint8Array>,
    readRange?: ReadRange,
  ): Promise<PlaceholderAnswer>;
  ping(): Promise<{ ok: true; version: string }>;
}
