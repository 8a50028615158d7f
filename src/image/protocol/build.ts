/**
 * The messages between the queue and the builder. During a roll-out, the two may have neighbouring versions, so a field
 * is never renamed, and is removed one version after its last reader (previous-version.ts). Errors lose their class
 * between Workers, so answers are unions.
 */
import type { MasterFacts } from "../model/facts.ts";
import type { Rect } from "../geometry/size.ts";
import type { VariantSpec } from "../model/variant.ts";
import type { BuildPlan } from "../plan/build-plan.ts";
import type { Failure } from "./failure.ts";
import type { NotNow } from "./not-now.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "./placeholder.ts";
import type { AS_PIECES } from "./previous-version.ts";

/** One build. Its output depends on nothing but this order and the bytes of the master. */
export interface BuildOrder {
  spec: VariantSpec;
  facts: MasterFacts;
  sourceBytes: number;
  /** The plan's peak, which the builder reserves. */
  peakBytes: number;
  /** The plan to execute. */
  plan: BuildPlan;
  /** The ENCODER_VERSION of the edge. A builder with other encoders refuses the order. */
  encoderVersion: number;
  /** For how long no builder has had room for this build. */
  waitedMs?: number;
}

/** Opens the master. The builder calls it once there is room for the build. Null when the file no longer exists. */
export type OpenMaster = ((as: typeof AS_PIECES) => Promise<MasterPieces | null>) & Partial<Disposable>;

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

/** The facts that a build found about a master that was stored before the probe counted frames. */
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
  /** The crop that was applied. Absent without one. */
  crop?: Rect;
}

/** A variant's file, or a part of it. All parts but the last have MULTIPART.partBytes. */
export interface BuiltPart {
  ok: true;
  byteLength: number;
  /** Bytes for a small file, a stream for a larger one. */
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
  /** Set with the last part; null before. */
  facts: BuildFacts | null;
}

/** The picture cannot be built. */
export interface BuildFailure {
  ok: false;
  code: "failed";
  reason: string;
  failure: Failure;
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

/** The first part of a variant, with the time that it took. */
export type FirstPart = BuiltPart & {
  /** The milliseconds from the order to the first part, by the builder's clock. */
  ms: number;
  /** The part of `ms` in which the build waited for the master's bytes. */
  masterMs: number;
} & ({ facts: BuildFacts; rest: null } | { facts: null; rest: RestOfBuild });

export type BuildAnswer = (FirstPart | NotNow | BuildFailure) & {
  /** A name of the isolate that answered, for the log. */
  isolate?: string;
};

/** The builder's Durable Object, as the edge calls it. Its name is `{spaceId}#{n}`; it stores nothing. */
export interface BuildRoomApi {
  /** Builds a variant. It makes room first and opens the master after that. */
  buildFrom(order: BuildOrder, open: OpenMaster, readRange?: ReadRange): Promise<BuildAnswer>;
  /** Makes a placeholder. It stops when a build arrives for this space, or for another one in the same isolate. */
  placeholderFrom(
    order: PlaceholderOrder,
    open: OpenMaster,
    readRange?: ReadRange,
  ): Promise<PlaceholderAnswer>;
  ping(): Promise<{ ok: true; version: string }>;
}
