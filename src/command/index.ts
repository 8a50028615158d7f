#!/usr/bin/env node
/** The program `silverprint`. */
import { run } from "./run.ts";
import { keepProcessSmall } from "./base/memory.ts";
import { worldOfProcess } from "./base/world.ts";

// A reader that ends early (`silverprint plan | head`) is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

// Ctrl+C during a progress bar makes the library of the bar end the process, with 0. Nothing was done then.
let isDone = false;
process.on("exit", () => {
  if (!isDone) process.exitCode = 1;
});

keepProcessSmall();

// The exit code is set and the process left to end by itself, so that a pipe gets all that was written.
process.exitCode = await run(process.argv.slice(2), worldOfProcess()).catch((error: unknown) => {
  // Not thrown, because Node would print the line of minified code.
  console.error("This is a fault of silverprint itself. Please report it:");
  console.error(error instanceof Error ? error.stack : error);
  return 1;
});
isDone = true;
