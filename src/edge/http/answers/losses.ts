/** The form of a loss in the API: values that a change would lose, and that the caller may allow to be lost. */
import * as z from "zod";

export const lossSchema = z
  .object({
    name: z.string().meta({
      description: "The name that allows it, in `allowDrop`, `drop` or `dropLocales` of the request",
    }),
    fact: z.string(),
  })
  .meta({ id: "Loss", description: "Values that would be lost, where that is the conflict" });
