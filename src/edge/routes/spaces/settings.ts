/** The routes of the settings of a space (RULES 2.2). */
import * as z from "zod";
import { LOCALES } from "../../../limits.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { oneOf } from "../../http/answers/pages.ts";
import { byOf } from "../../http/origin.ts";
import { changeLocales } from "../../spaces/locales.ts";
import { settingsOf } from "../../spaces/settings.ts";
import { changeSettings } from "../../spaces/spaces.ts";
import { invalidateCopies } from "../invalidation.ts";
import { announceMaster } from "../media/media-answers.ts";
import { checkOrigins, settingsAsked, settingsSchema } from "./settings-schema.ts";

const tag = "Spaces";

export function mountSettings(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/settings",
      access: "read",
      reaches: "space",
      doc: {
        operationId: "getSettings",
        tag,
        summary: "Read the settings",
        answers: { 200: { description: "The settings", schema: oneOf(settingsSchema) } },
        errors: [],
      },
    },
    ({ c, space }) => respond(c, settingsOf(space)),
  );

  endpoint(
    app,
    {
      method: "patch",
      path: "/api/v1/:spaceName/settings",
      access: "admin",
      reaches: "everything",
      body: settingsAsked.extend({
        dropLocales: z.array(z.string()).max(LOCALES.perSpaceMax).optional().meta({
          description:
            "Locales that may be removed although they hold values. These return if the code does while they are kept",
        }),
      }),
      doc: {
        operationId: "updateSettings",
        tag,
        summary: "Change the settings",
        answers: { 200: { description: "The settings", schema: oneOf(settingsSchema) } },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, caller, space, body }) => {
      if (body.origins) checkOrigins(body.origins, c.env);
      const { locales, dropLocales = [], ...media } = body;
      const by = byOf(c, caller);
      // The locales come first: only they can be refused.
      const localized = locales
        ? await changeLocales(c.get("db"), space, { locales, dropLocales }, by)
        : space;
      const changed = Object.values(media).some((value) => value !== undefined)
        ? await changeSettings(c.get("db"), localized, media, by)
        : localized;
      invalidateCopies(c);
      if (changed.suggestFocalPoint && !space.suggestFocalPoint) announceMaster(c, space);
      return respond(c, settingsOf(changed));
    },
  );
}
