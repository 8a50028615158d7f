/**
 * Before each file of unit tests: the properties of the first ring are tried with the same values in every run, so that a
 * change is not refused for a fault that it has not made. The second ring draws new ones; a failure names its seed.
 */
import fc from "fast-check";
import { inject } from "vitest";

if (inject("ring") === "first") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 });
