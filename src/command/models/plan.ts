/** `silverprint plan`: what `apply` would change, and what stands against it. */
import { defineCommand, flag } from "../form/command.ts";
import { isChange } from "./api.ts";
import { DOCUMENT_OPTIONS, documentOf, planOf } from "./document.ts";
import { planWords } from "./words.ts";

export const plan = defineCommand({
  name: "plan",
  summary: "print what apply would change",
  description:
    "Compares a space with the document of its models, and prints what apply would change and what stands against it. " +
    "Nothing is changed.",
  options: {
    ...DOCUMENT_OPTIONS,
    check: flag("exit with 2 if something would change, for a check of the repository"),
  },
  examples: [
    { line: "plan", does: "prints the plan" },
    { line: "plan --check", does: "fails a check while the space is not as the repository says" },
    { line: "plan --space staging --json", does: "prints it for a program" },
  ],
  run: async (context) => {
    const { options, output, connect } = context;
    const document = await documentOf(context);
    const planned = await planOf(await connect(), document, options.allowDrop);
    const isChanged = planned.changes.some(isChange);
    return {
      json: planned,
      words: planWords(planned, output.colours),
      exitCode: options.check && isChanged ? 2 : 0,
    };
  },
});
