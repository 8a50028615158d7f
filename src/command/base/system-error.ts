/** Errors of the operating system: a folder that cannot be written, a full disk. They are no faults of the command. */
import { Failure } from "./failure.ts";

/** Returns whether the operating system has refused a call on a file. */
export const isOfSystem = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && "syscall" in error && "path" in error;

/** Returns the failure that says to a person what the operating system has refused. */
export const failureOfSystem = (error: NodeJS.ErrnoException): Failure =>
  new Failure(`${error.message}.`, {
    next: "Check the path, the rights to it, and the space on the disk.",
    cause: error,
  });
