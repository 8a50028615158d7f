/** Why a build failed. The builder reports it, the log shows it, and the queue remembers it. */

export const FAILURE_CODES = ["corrupt", "unsupported", "out-of-memory", "internal"] as const;

/** The cause: the file ("corrupt", "unsupported"), the isolate ("out-of-memory"), or a bug of ours ("internal"). */
export type FailureCode = (typeof FAILURE_CODES)[number];

/** The stage of the build that failed. */
export type BuildStage = "plan" | "decode" | "resample" | "colour" | "encode" | "send";

export interface Failure {
  code: FailureCode;
  stage: BuildStage;
}
