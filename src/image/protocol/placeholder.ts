/** The placeholder of a master: what a page shows until the picture is there. */
import type { MasterFacts } from "../model/facts.ts";
import type { FocalPoint } from "../model/focal-point.ts";
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
  /** Of the small picture, upright. */
  size: { width: number; height: number };
  /** The plan's peak, which the builder reserves. */
  peakBytes: number;
  /** What is to be done. The builder plans for itself where an older edge sent none. */
  plan?: PlaceholderPlan;
}

/** Fields are added, never renamed or removed (see build.ts). */
export type PlaceholderAnswer = (
  | {
      ok: true;
      placeholder: Placeholder;
      /** What the picture suggests. An older builder does not say. */
      focalPoint?: FocalPoint;
      peakBytes: number;
    }
  | NotNow
  /** The picture cannot be decoded. */
  | { ok: false; code: "failed"; reason: string; failure?: Failure }
) & { isolate?: string };

const THUMB_HASH = /^[A-Za-z0-9+/]{8,40}={0,2}$/;
const COLOUR = /^#[0-9a-f]{6}$/;

/** What is stored of an answer. */
export interface Described {
  placeholder: Placeholder;
  focalPoint: FocalPoint | null;
}

const isPercent = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 100;

/** Whether it is one: the builder parses strangers' files, so what it answers is looked at before it is stored. */
export const isDescription = ({ placeholder, focalPoint }: Described): boolean =>
  THUMB_HASH.test(placeholder.thumbHash) &&
  COLOUR.test(placeholder.dominantColor) &&
  (focalPoint === null || (isPercent(focalPoint.x) && isPercent(focalPoint.y)));
