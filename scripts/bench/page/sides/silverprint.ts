/** The builder's modules, with the plan that the edge makes. */
import { buildVariant } from "../../../../src/builder/build.ts";
import { BuildMemory } from "../../../../src/builder/memory/build-memory.ts";
import { effortOf } from "../../../../src/image/plan/build-plan.ts";
import { planBuild } from "../../../../src/image/plan/plan.ts";
import type { Effort } from "../../../../src/image/model/variant.ts";
import { contextOf, specFor, wholeOf } from "../../../harness/builds.ts";
import { probe } from "../../../harness/probe-run.ts";
import type { Run } from "../side-process.ts";
import type { Work } from "../works.ts";

/** @throws Error when there is no plan, or none with this effort: no visitor waits longer than quick builds take */
export function prepare({ width, to }: Work, file: Buffer, effort: Effort): Run {
  const facts = probe(file);
  const spec = specFor(facts, { width, format: to });
  const plan = planBuild(facts, file.length, spec, effort === "quick");
  if (!plan.ok) throw new Error(plan.reason);
  if (effortOf(plan) !== effort) throw new Error(`not encoded with the effort ${effort}`);
  const memory = new BuildMemory();
  return async () => {
    const context = { ...contextOf(file, { facts, spec, memory }), plan };
    try {
      return (await wholeOf(buildVariant(context))).byteLength;
    } finally {
      await context.source.close();
    }
  };
}
