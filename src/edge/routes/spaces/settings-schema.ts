/** The schemas of the settings of a space, and the check of its origins (RULES 2.2). */
import * as z from "zod";
import { ApiError, type ErrorDetail } from "../../../errors.ts";
import { parseRatio } from "../../../image/geometry/aspect-ratio.ts";
import { readBackground, TRANSPARENT } from "../../../image/model/background.ts";
import { METADATA_SETTINGS } from "../../../image/model/copyright.ts";
import { GAMUTS } from "../../../image/model/gamut.ts";
import { QUALITIES } from "../../../image/model/variant.ts";
import { BACKGROUND, CROP, LOCALES, REMOTE } from "../../../limits.ts";
import type { Env } from "../../config.ts";
import { parseOrigin } from "../../remote/origins.ts";
import type { SettingName } from "../../spaces/settings.ts";

const quality = z.literal([...QUALITIES]).meta({ type: "integer", enum: [...QUALITIES] });
const aspectRatio = z
  .string()
  .refine(
    (text) => parseRatio(text) !== null,
    `must be W:H, whole numbers from 1 to ${CROP.aspectRatioSideMax}`,
  );
const aspectRatios = z
  .array(aspectRatio)
  .min(1)
  .max(CROP.aspectRatiosMax)
  .refine((ratios) => new Set(ratios).size === ratios.length, "must be different from each other")
  .meta({ description: "The ratios `W:H` that crops may have" });
const backgrounds = z
  .array(
    z
      .string()
      .toLowerCase()
      .refine(
        (text) => readBackground(text) !== undefined,
        `must be six hexadecimal digits, or ${TRANSPARENT}`,
      ),
  )
  .min(1)
  .max(BACKGROUND.backgroundsMax)
  .refine((all) => new Set(all).size === all.length, "must be different from each other")
  .meta({
    description: "The backgrounds that pictures may have: six hexadecimal digits each, or `transparent`",
  });
const suggestFocalPoint = z
  .boolean()
  .meta({ description: "Whether a focal point is suggested for pictures that have none" });
const prebuild = z.enum(["presets", "none"]).meta({
  description: "What is built after an upload, in idle time: the preset widths in AVIF and WebP, or nothing",
});
const metadata = z.enum(METADATA_SETTINGS).meta({
  description:
    "What variants keep of the statements about rights in their master: creator, credit line, copyright notice, usage terms, web statement and licensor, from 500 pixels of width on, or nothing",
});
const gamut = z.enum(GAMUTS).meta({
  description: "`p3`: masters with colours outside sRGB give variants in Display P3",
});
const localeShown = z.object({ code: z.string(), fallback: z.string().optional() });
const localeAsked = z.strictObject({
  code: z.string().meta({ description: "A BCP 47 code, such as `en` or `de-AT`" }),
  fallback: z
    .string()
    .nullish()
    .meta({ description: "The locale whose values reads with `fallback=true` borrow" }),
});
const differentOrigins = (origins: string[]): boolean =>
  new Set(origins.map((origin) => origin.replace(/\/$/, "").toLowerCase())).size === origins.length;
const origins = z
  .array(z.string().max(REMOTE.originMaxCharacters))
  .max(REMOTE.originsMax)
  .refine(differentOrigins, "must be different from each other")
  .meta({
    description:
      "The addresses whose pictures the space serves from other servers: `https://host`, `https://*.host` for any one label before it, or `https://host/path/` for what is below the path",
  });
const ORIGIN_RULE =
  "must be https://host or https://host/path/, with a public name: no port, user or IP address, and no wildcard but one first label (https://*.example.com)";

/** Returns the faults of entries that are not of the form. @param path of the list in the body */
export function faultsOfOrigins(
  entries: readonly string[],
  env: Pick<Env, "REMOTE_TEST_ORIGINS">,
  path = "origins",
): ErrorDetail[] {
  const rules = { isTesting: env.REMOTE_TEST_ORIGINS === "1" };
  return entries.flatMap((entry, n) =>
    parseOrigin(entry, rules) ? [] : [{ path: `${path}.${n}`, message: ORIGIN_RULE }],
  );
}

/** @throws ApiError VALIDATION_FAILED for entries that are not of the form. @param path of the list in the body */
export function checkOrigins(
  entries: readonly string[],
  env: Pick<Env, "REMOTE_TEST_ORIGINS">,
  path?: string,
): void {
  const details = faultsOfOrigins(entries, env, path);
  if (details.length > 0)
    throw new ApiError("VALIDATION_FAILED", "The body does not fit; see details.", { details });
}

/** The schema of each setting that has a column of its own. */
const SCHEMAS = {
  adaptiveLoading: z.boolean(),
  compression: z.boolean(),
  ...{ quality, aspectRatios, backgrounds, suggestFocalPoint, prebuild, origins, metadata, gamut },
} satisfies Record<SettingName, z.ZodType>;

/** Settings in an answer. */
export const settingsSchema = z
  .object({
    ...SCHEMAS,
    locales: z.array(localeShown).meta({ description: "The languages of content; the first is the default" }),
  })
  .meta({ id: "SpaceSettings" });
/** Settings in a body: those that are left out stay as they are. */
export const settingsAsked = z.strictObject({
  ...z.object(SCHEMAS).partial().shape,
  locales: z.array(localeAsked).max(LOCALES.perSpaceMax).optional().meta({
    description: "All locales of content, the default first. None for content in one language",
  }),
});
