/** The placeholder of a master, which a page shows until the picture has loaded, and the messages that order it. */
import type { MasterFacts } from "../model/facts.ts";
import type { FocalPoint } from "../geometry/focal-point.ts";
import type { PlaceholderPlan } from "../plan/build-plan.ts";
import type { NotNow } from "./not-now.ts";
import type { Failure } from "./failure.ts";

export interface Placeholder {
  /** The bytes of a ThumbHash in base64 (RFC 4648 section 4). */
  thumbHash: string;
  /** `#rrggbb`. */
  dominantColor: string;
}

export interface PlaceholderOrder {
  facts: MasterFacts;
  sourceBytes: number;
  /** The upright size of the small picture that the placeholder is computed from. */
  size: { width: number; height: number };
  /** The plan's peak, which the builder reserves. */
  peakBytes: number;
  /** The plan to execute. */
  plan: PlaceholderPlan;
  /** Whether it has given way for so long that it is made as a visitor's build is. */
  isOverdue?: boolean;
}

/** Fields are added and removed as build.ts says. */
export type PlaceholderAnswer = (
  | {
      ok: true;
      placeholder: Placeholder;
      /** The focal point that the picture suggests. */
      focalPoint: FocalPoint;
      peakBytes: number;
    }
  | NotNow
  /** The picture cannot be decoded. */
  | { ok: false; code: "failed"; reason: string; failure: Failure }
) & { isolate?: string };

const THUMB_HASH = /^[A-Za-z0-9+/]{8,40}={0,2}$/;
const COLOUR = /^#[0-9a-f]{6}$/;

/** The part of an answer that is stored. */
export interface Described {
  placeholder: Placeholder;
  focalPoint: FocalPoint | null;
}

const isPercent = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 100;

/**
 * Returns whether the answer is well-formed. The builder parses strangers' files, so its answers are checked before
 * use.
 */
export const isDescription = ({ placeholder, focalPoint }: Described): boolean =>
  THUMB_HASH.test(placeholder.thumbHash) &&
  COLOUR.test(placeholder.dominantColor) &&
  (focalPoint === null || (isPercent(focalPoint.x) && isPercent(focalPoint.y)));
