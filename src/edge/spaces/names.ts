/** Names of spaces, tenants, models and fields (completion §1). */
import { z } from "@hono/zod-openapi";

const NAME = /^[a-z][a-z0-9_-]{0,62}$/;
/** Reserved among space names and tenant ids: the path of the deployment's own routes. */
const RESERVED_SPACE_NAMES: readonly string[] = ["spaces"];

export const nameSchema = z
  .string()
  .regex(NAME, "must be 1 to 63 of a-z, 0-9, _ and -, starting with a letter")
  .openapi({ example: "my-site" });

export const spaceNameSchema = nameSchema.refine(
  (name) => !RESERVED_SPACE_NAMES.includes(name),
  "is reserved",
);
