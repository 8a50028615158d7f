/** `silverprint apply`: makes a space as the document of its models says. */
import { defineCommand, flag, type Context } from "../form/command.ts";
import type { ModelsDocument } from "../config/index.ts";
import { Failure } from "../base/failure.ts";
import type { Service } from "../service/service.ts";
import type { Output } from "../terminal/output.ts";
import { isChange, type AppliedModels, type Entry, type ModelsPlan } from "./api.ts";
import { DOCUMENT_OPTIONS, documentOf, planOf, sentOf } from "./document.ts";
import { waitFor } from "./wait.ts";
import { changesWords, countWords, flagsOf } from "./words.ts";

/** Returns the plan, once no change of a model goes on in the background any more: one may be left of an earlier run. */
async function quietPlan(
  context: Pick<Context, "output" | "world">,
  service: Service,
  document: ModelsDocument,
  allowDrop: readonly string[],
): Promise<ModelsPlan> {
  for (;;) {
    const planned = await planOf(service, document, allowDrop);
    if (planned.working.length === 0) return planned;
    await waitFor(context, service, planned.working);
  }
}

/** @throws Failure when something stands against a plan. It names the changes that were made before. */
function refuse(planned: ModelsPlan, made: readonly Entry[], { colours }: Pick<Output, "colours">): void {
  if (planned.conflicts.length === 0) return;
  const flags = flagsOf(planned.conflicts);
  const before =
    made.length === 0
      ? "nothing was changed."
      : `${countWords(made)} ${made.length === 1 ? "was" : "were"} made before:\n${changesWords(made, colours)}`;
  throw new Failure(`Something stands against the document; ${before}`, {
    details: planned.conflicts,
    next:
      flags === ""
        ? "Mend the records or the document."
        : `Mend the document, or lose the values by ${flags}.`,
  });
}

/** Applies a planned document. @throws Failure, with the flags for values that came into the space since the plan */
async function send(service: Service, json: object): Promise<AppliedModels> {
  try {
    return (await service.json<{ data: AppliedModels }>("POST", "/models/apply", { json })).data;
  } catch (error) {
    const flags = error instanceof Failure ? flagsOf(error.details) : "";
    if (!(error instanceof Failure) || flags === "") throw error;
    const { message, details } = error;
    throw new Failure(message, { details, cause: error, next: `Lose the values by ${flags}, or mend them.` });
  }
}

export const apply = defineCommand({
  name: "apply",
  summary: "change the models to what the document says",
  description:
    "Makes a space as the document of its models says: components and the targets of relations first. Everything is " +
    "checked before anything is changed. An interrupted run is ended by the next one.",
  options: { ...DOCUMENT_OPTIONS, yes: flag("do not ask on a terminal") },
  examples: [
    { line: "apply", does: "shows the plan, asks, and makes the changes" },
    { line: "apply --yes --space production", does: "makes them without a question, in a deploy" },
    { line: "apply --allow-drop articles.legacy", does: "also removes a field that holds values" },
  ],
  run: async (context) => {
    const { options, output, connect } = context;
    const { allowDrop } = options;
    const document = await documentOf(context);
    const service = await connect();
    let planned = await quietPlan(context, service, document, allowDrop);
    refuse(planned, [], output);
    if (!planned.changes.some(isChange)) return { json: { changes: [] }, words: "Nothing to change." };
    if (output.isInteractive && !options.yes) {
      output.note(changesWords(planned.changes, output.colours));
      if (!(await output.confirm(`Make ${countWords(planned.changes)} in ${service.place.space}?`)))
        throw new Failure("Nothing was changed.");
    }
    const made: Entry[] = [];
    for (;;) {
      const json = { ...sentOf(document), allowDrop, hash: planned.hash };
      const { changes, working, isComplete } = await send(service, json);
      made.push(...changes);
      if (isComplete) break;
      await waitFor(context, service, working);
      planned = await quietPlan(context, service, document, allowDrop);
      refuse(planned, made, output);
      if (!planned.changes.some(isChange)) break;
    }
    return {
      json: { changes: made },
      words: `${changesWords(made, output.colours)}\n${countWords(made)} made.`,
    };
  },
});
