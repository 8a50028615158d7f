/** Schemas of scopes and of the end of keys (RULES 1.12). */
import * as z from "zod";
import { NO_TIME, parseDatetime } from "../../../content/field-types/datetime.ts";
import { localeCode } from "../../../content/locales/codes.ts";
import { nameSchema } from "../../../content/text/names.ts";
import { CONTENT, LOCALES } from "../../../limits.ts";
import { MEDIA_SCOPES } from "../../storage/spaces/scopes.ts";

const locale = z.string().transform((text, context) => {
  const code = localeCode(text);
  if (code !== null) return code;
  context.addIssue({ code: "custom", message: "must be the code of a language, such as en or de-AT" });
  return z.NEVER;
});

/** The scopes in a body. */
export const scopesGiven = z
  .strictObject({
    models: z
      .array(nameSchema)
      .max(CONTENT.modelsPerSpaceMax)
      .optional()
      .meta({ description: "Names of collections and pages. Components follow the models that hold them" }),
    locales: z
      .array(locale)
      .min(1)
      .max(LOCALES.perSpaceMax)
      .optional()
      .meta({ description: "Codes of locales, where the space has any" }),
    media: z.enum(MEDIA_SCOPES).optional(),
    publish: z
      .boolean()
      .optional()
      .meta({ description: "`false`: drafts are written, and no record that readers see changes" }),
  })
  .meta({ id: "Scopes", description: "What is left out limits nothing" });

/** Scopes in an answer. */
export const scopesOf = z.object({
  models: z.array(z.string()).optional(),
  locales: z.array(z.string()).optional(),
  media: z.enum(MEDIA_SCOPES).optional(),
  publish: z.boolean().optional(),
});

/** The scopes of a key or member. */
export const scopesShown = scopesOf.nullable().meta({ description: "Null for the whole space" });

/** Refuses scopes of an admin, who reaches the whole space. */
export function scopesSuitRole(
  { role, scopes }: { role?: string | undefined; scopes?: object | null | undefined },
  context: z.RefinementCtx,
): void {
  if (role !== "admin" || scopes === undefined || scopes === null) return;
  const message = "exclude the role admin, which reaches the whole space";
  context.addIssue({ code: "custom", path: ["scopes"], message });
}

/** A time in the future. */
export const futureTime = z
  .string()
  .superRefine((text, context) => {
    const time = parseDatetime(text);
    if (time === null) context.addIssue({ code: "custom", message: NO_TIME });
    else if (time <= Date.now()) context.addIssue({ code: "custom", message: "must be a time to come" });
  })
  .meta({ format: "date-time" });
