/** Why a build failed, as the builder says it, the log shows it and the queue remembers it. */

export const FAILURE_CODES = ["corrupt", "unsupported", "out-of-memory", "internal"] as const;

/** Whose fault it is: the file's (corrupt, unsupported), the isolate's, or ours. */
export type FailureCode = (typeof FAILURE_CODES)[number];

/** Where in a build: between the order and the last byte that was sent. */
export type BuildStage = "plan" | "decode" | "resample" | "colour" | "encode" | "send";

export interface Failure {
  code: FailureCode;
  stage: BuildStage;
}
