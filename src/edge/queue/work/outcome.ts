/** The outcomes of one try at a build, or at a placeholder. */
import type { LearnedFacts } from "../../../image/protocol/build.ts";
import type { BuildStage, FailureCode } from "../../../image/protocol/failure.ts";
import type { Described } from "../../../image/protocol/placeholder.ts";

import type { BuildTimes } from "./build-clock.ts";

interface Answered {
  /** The isolate that answered, for the log. */
  isolate?: string;
}

export type Outcome =
  | ({
      state: "built";
      sizeBytes: number;
      peakBytes: number;
      ms?: BuildTimes;
      evicted: string[];
    } & Answered)
  /** The picture cannot be built: remembered for a while, by whose fault it is (RULES 5.6). */
  | ({
      state: "failed";
      reason: string;
      code: FailureCode;
      stage: BuildStage;
      learned?: LearnedFacts;
    } & Answered)
  /** It is not wanted any more: its master was deleted, replaced or trashed, or the encoders have changed. */
  | ({ state: "gone"; reason: string } & Answered)
  /** No room has place. The try does not count. */
  | ({ state: "busy"; reason: string } & Answered)
  /** The connection to the builder or the storage was lost. `silent`: the builder did not answer in time. */
  | { state: "lost"; reason: string; silent?: boolean };

export type PlaceholderOutcome =
  | ({ state: "made"; peakBytes: number } & Described)
  /** There cannot be a placeholder. It is not tried again. */
  | { state: "failed"; reason: string }
  /** The try says nothing about the master, and does not count. `isFull`: a builder answered that it has no room. */
  | { state: "busy"; reason: string; isFull?: boolean }
  /** The connection to the builder, or the file on its way, was lost. The try counts: the master may be the cause. */
  | { state: "lost"; reason: string };
