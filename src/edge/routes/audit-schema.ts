/** The schema of actors in answers. */
import * as z from "zod";
import { ACTOR_KINDS } from "../storage/events/actor.ts";

export const actorSchema = z
  .object({
    kind: z.enum(ACTOR_KINDS),
    id: z.string().meta({ description: "`root` for the root token, `system` for the service itself" }),
    name: z
      .string()
      .meta({ description: "The name of a key or the address of a member, as it was at that time" }),
  })
  .meta({ id: "Actor" });
