/** The routes of media items: list, read, change, delete (RULES 4.1 to 4.3). Those of their files are in media-files.ts. */
import * as z from "zod";
import { ApiError, notFound } from "../../../errors.ts";
import { endpoint, parametersIn, respond, type App } from "../../http/endpoint.ts";
import { byOf } from "../../http/origin.ts";
import { textSchema } from "../../../content/text/text.ts";
import {
  countedListOf,
  countParameter,
  oneOf,
  pageQuery,
  searchParameter,
} from "../../http/answers/pages.ts";
import { isFilterParameter } from "../../lists/asked-filters.ts";
import { MEDIA_FILTERS, MEDIA_SORTS, openMediaList } from "../../lists/media-list.ts";
import { UPLOAD } from "../../../limits.ts";
import { focalPointOf } from "../../../image/geometry/focal-point.ts";
import { deleteMedia } from "../../media/trash.ts";
import { cleanFilename } from "../../media/filename.ts";
import type { Caller, Space } from "../../spaces/authorize.ts";
import { checkMediaChange } from "../../spaces/gate.ts";
import { changeMedia } from "../../storage/media/media.ts";
import { forgetPicture } from "../../storage/pictures/pictures.ts";
import { filterParameter } from "../records/filter-parameter.ts";
import { invalidateCopies } from "../invalidation.ts";
import { isAll, type LocaleScope } from "../../../content/model/localized-model.ts";
import { defaultCode, localesIn } from "../../../content/locales/locales.ts";
import type { AltLocale } from "../../storage/media/media-facts.ts";
import { altBody, altChange } from "./alt-body.ts";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import { askedScope } from "../../records/read/locale-scope.ts";
import { deleteQuery, localeQuery } from "../records/record-schema.ts";
import { respondWithMedia, viewOf } from "./media-answers.ts";
import { mountReplacement, mountUpload } from "./media-files.ts";
import { deletedSchema, focalPointSchema, mediaSchema } from "./media-schema.ts";
import { payerOfSpace } from "../records/payer.ts";

const tag = "Media";
const listQuery = z.strictObject({
  ...pageQuery,
  ...localeQuery,
  sort: z
    .string()
    .optional()
    .meta({
      description: `Up to 3 of ${MEDIA_SORTS.join(", ")}; \`-\` before a name sorts descending`,
      default: "-createdAt",
    }),
  search: searchParameter("file name, alt text, creator and copyright notice together"),
  count: countParameter,
  filter: filterParameter(`On ${MEDIA_FILTERS.join(", ")}, as for records`),
});

/** Returns the locale whose alt texts are read and written; null in a space without locales. */
const scopeAsked = ({ space, scopes }: Caller, locale: string | undefined): LocaleScope | null =>
  askedScope(space, { locale }, scopes);

/**
 * Returns the locale whose alt texts a list looks at: the asked one, and the default of `all`. Null in a space that
 * never had locales.
 */
function altLocale({ locales }: Space, scope: LocaleScope | null): AltLocale | null {
  if (scope && scope.no !== DEFAULT_NUMBER) return { code: scope.code, isDefault: false };
  return locales === null ? null : { code: defaultCode(localesIn(locales)), isDefault: true };
}

export function mountMedia(app: App): void {
  mountUpload(app);

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/media",
      access: "read",
      reaches: "media",
      query: listQuery,
      isOwnParameter: isFilterParameter,
      doc: {
        operationId: "listMedia",
        tag,
        summary: "List media, newest first",
        answers: {
          200: { description: "A page of media objects", schema: countedListOf(mediaSchema) },
        },
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, caller, space, query }) => {
      const filters = [...parametersIn(c)].filter(([name]) => isFilterParameter(name));
      const payer = payerOfSpace(space);
      const { locale, ...asked } = query;
      const scope = scopeAsked(caller, locale);
      // In `all`, lists look at the alt texts of the default locale.
      const isByValues = filters.length > 0 || asked.search !== undefined || asked.sort !== undefined;
      if (isByValues && scope && isAll(scope)) scopeAsked(caller, undefined);
      const reading = {
        ...{ db: c.get("db"), spaceId: space.id, secret: c.env.CURSOR_SECRET, payer },
        locale: altLocale(space, scope),
      };
      const { items, meta } = await openMediaList(reading, asked, filters);
      return respond(
        c,
        items.map((row) => viewOf(c, caller, row, scope)),
        { meta },
      );
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/media/:mediaId",
      access: "read",
      reaches: "media",
      query: z.strictObject(localeQuery),
      doc: {
        operationId: "getMedia",
        tag,
        summary: "Read a media object",
        answers: {
          200: { description: "The media object", schema: oneOf(mediaSchema) },
        },
        errors: [],
      },
    },
    ({ c, caller, query }) => respondWithMedia(c, caller, scopeAsked(caller, query.locale)),
  );

  endpoint(
    app,
    {
      method: "patch",
      path: "/api/v1/:spaceName/media/:mediaId",
      access: "write",
      reaches: "media",
      query: z.strictObject(localeQuery),
      body: z.strictObject({
        filename: textSchema(UPLOAD.filenameMaxCharacters).optional(),
        alt: altBody,
        focalPoint: focalPointSchema.nullable().optional(),
      }),
      doc: {
        operationId: "updateMedia",
        tag,
        summary: "Change a media item's filename, alt text or focal point",
        answers: {
          200: { description: "The media object", schema: oneOf(mediaSchema) },
        },
        errors: [],
      },
    },
    async ({ c, caller, space, query, body }) => {
      const scope = scopeAsked(caller, query.locale);
      if (body.filename !== undefined || body.focalPoint !== undefined)
        checkMediaChange(caller.scopes, space);
      const filename = body.filename === undefined ? undefined : cleanFilename(body.filename);
      if (filename === null) {
        const details = [{ path: "filename", message: "must have a visible character" }];
        throw new ApiError("VALIDATION_FAILED", "The body does not fit; see details.", { details });
      }
      const id = c.req.param("mediaId") ?? "";
      const focalPoint = body.focalPoint && focalPointOf(body.focalPoint);
      const change = { filename, focalPoint, ...altChange(scope, caller.scopes, body.alt) };
      const by = byOf(c, caller);
      const hadLocales = space.locales !== null;
      const isThere = await changeMedia(c.get("db"), space.id, id, change, by, hadLocales);
      if (!isThere) throw notFound("The media item");
      c.set("changesCopies", true);
      if (focalPoint !== undefined) {
        forgetPicture(id);
        invalidateCopies(c);
      }
      return respondWithMedia(c, caller, scope);
    },
  );

  mountReplacement(app);

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/:spaceName/media/:mediaId",
      access: "write",
      reaches: "media",
      query: deleteQuery,
      doc: {
        operationId: "deleteMedia",
        tag,
        summary: "Move a media item to the trash",
        answers: {
          200: {
            description: "Trashed, or removed if the plan keeps no trash",
            schema: oneOf(deletedSchema),
          },
        },
        errors: ["CONFLICT"],
      },
    },
    async ({ c, caller, space, query }) => {
      const { scopes } = caller;
      checkMediaChange(scopes, space);
      const ifUnreferenced = query.ifUnreferenced === "true";
      const conditions = { ...byOf(c, caller), ifUnreferenced, scopes };
      const deleted = await deleteMedia(c.get("db"), space, c.req.param("mediaId") ?? "", conditions);
      invalidateCopies(c);
      return respond(c, deleted);
    },
  );
}
