/** The fields of every error of a build beside its message: the party at fault, and the stage. */
import { InvalidImageError } from "../../image/bytes/errors.ts";
import type { BuildStage, Failure, FailureCode } from "../../image/protocol/failure.ts";

export class BuildError extends Error {
  failure: FailureCode;
  /** Null as long as nobody has said it: for errors of parts that are used in several stages. */
  stage: BuildStage | null;

  constructor(failure: FailureCode, stage: BuildStage | null, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
    this.stage = stage;
  }
}

/**
 * Returns the error with `stage` as its stage, unless it has one. Errors that are no fault of a build are left as they
 * are.
 */
export function atStage(stage: BuildStage, error: unknown): unknown {
  if (error instanceof BuildError) {
    error.stage ??= stage;
    return error;
  }
  const isOurs =
    error instanceof WebAssembly.RuntimeError || error instanceof TypeError || error instanceof RangeError;
  return isOurs ? new BuildError("internal", stage, error.message, { cause: error }) : error;
}

/**
 * Does the same as `atStage` for errors of a decoder: a file that a codec cannot read is damaged, under any name that
 * the codec gives the error.
 */
export function atDecoding(error: unknown): unknown {
  if (error instanceof BuildError && error.stage === null && error.failure === "internal") {
    error.failure = "corrupt";
  }
  return atStage("decode", error);
}

/** Returns the answer for an error that ended a build; `stage` for one that does not say where it happened. */
export function failureOf(error: unknown, stage: BuildStage): Failure {
  if (error instanceof BuildError) return { code: error.failure, stage: error.stage ?? stage };
  if (error instanceof InvalidImageError) return { code: "corrupt", stage: "decode" };
  return { code: "internal", stage };
}
