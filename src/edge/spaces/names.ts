/** Checks names of spaces and tenant ids (RULES 1.1). */
import { nameSchema } from "../../content/text/names.ts";

/** Reserved names: they are paths of routes outside any space. */
const RESERVED_SPACE_NAMES: readonly string[] = ["spaces", "metrics", "backups"];

export const spaceNameSchema = nameSchema.refine(
  (name) => !RESERVED_SPACE_NAMES.includes(name),
  "is reserved",
);
