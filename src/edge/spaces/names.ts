/** Names of spaces and tenants (RULES 1.1). */
import { nameSchema } from "../content-model/names.ts";

/** Reserved among space names and tenant ids: the paths of the deployment's own routes. */
const RESERVED_SPACE_NAMES: readonly string[] = ["spaces", "metrics"];

export const spaceNameSchema = nameSchema.refine(
  (name) => !RESERVED_SPACE_NAMES.includes(name),
  "is reserved",
);
