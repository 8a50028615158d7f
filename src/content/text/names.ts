/** Names of models, which spaces and tenants share the form of (RULES 1.1). */
import * as z from "zod";

const NAME = /^[a-z][a-z0-9_-]{0,62}$/;

/** Whether a space, tenant or model can have this name at all. */
export const isName = (text: string): boolean => NAME.test(text);

export const nameSchema = z
  .string()
  .regex(NAME, "must be 1 to 63 of a-z, 0-9, _ and -, starting with a letter")
  .meta({ example: "my-site" });
