/** The tools of agents that read (RULES 19.2). */
import * as z from "zod";
import { OPERATOR_MEANINGS, OPERATORS } from "../../../content/query/operators.ts";
import { parsePictureParameters } from "../../../image/parameters/read.ts";
import { queryOf as pictureQuery } from "../../../image/parameters/write.ts";
import { PARAMETER_NAMES } from "../../../image/parameters/table.ts";
import { MEDIA_FILTERS, MEDIA_SORTS } from "../../lists/media-list.ts";
import { queryFields } from "../pictures/pictures.ts";
import {
  cursor,
  filtering,
  filterQuery,
  limit,
  locale,
  ofModel,
  ofRecord,
  ofRecords,
  queryOf,
  viewing,
} from "./arguments.ts";
import { idSchema, pathOf, tool, type Tool } from "./tool.ts";

const OPERATOR_LIST = OPERATORS.map((operator) => `${operator} (${OPERATOR_MEANINGS[operator]})`).join("; ");

const mediaId = idSchema("The id of a media item, as find_media answers it");

/** Returns a model without the definitions of its fields. */
function modelLine({ fields: all, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const { typeModel, name, label, description, titleField, drafts, public: isPublic } = rest;
  const names = (all as { name: string }[]).map((field) => field.name);
  return { typeModel, name, label, description, titleField, drafts, public: isPublic, fields: names };
}

/** Returns a media item without the addresses of its presets, which are most of it: picture_url makes addresses. */
const mediaLine = (media: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(media).filter(([name]) => name !== "formats"));

/** Returns the addresses of a picture. A media item states the address of its bytes, from which the others follow. */
function pictureView(query: URLSearchParams, media: Record<string, unknown>): Record<string, unknown> {
  const { id, filename, alt, width, height, mime, directUrl } = media;
  const direct = new URL(String(directUrl));
  const url = new URL(direct.href.replace(/\/file\?.*$/, ""));
  for (const [name, value] of query) for (const one of [url, direct]) one.searchParams.set(name, value);
  const master = { width, height, mime };
  return { id, url: url.href, directUrl: direct.href, filename, alt, master };
}

export const READING: readonly Tool[] = [
  tool({
    name: "list_models",
    title: "List models",
    description:
      "Lists the collections, pages and components of the space that you may see, with the names of their fields.",
    effect: "reads",
    takes: z.strictObject({ limit, cursor }),
    asks: (asked) => ({
      method: "GET",
      path: pathOf("models"),
      query: queryOf(asked),
      answers: "page",
      view: modelLine,
    }),
  }),
  tool({
    name: "describe_model",
    title: "Describe a model",
    description:
      "Reads the fields of a model with their types and rules. Do so before you write its records.",
    effect: "reads",
    takes: z.strictObject({ ...ofModel, cursor }),
    asks: ({ typeModel, model }) => ({
      method: "GET",
      path: pathOf("models", typeModel, model),
      answers: "whole",
    }),
  }),
  tool({
    name: "find_records",
    title: "Find records",
    description:
      "Lists records of a model by filters, words and order. In models with drafts it shows published records; `status: draft` shows drafts.",
    effect: "reads",
    takes: z.strictObject({
      ...ofRecords,
      ...filtering(`Operators: ${OPERATOR_LIST}`, "the fields marked `searchable` together"),
      sort: z.string().optional().meta({
        description: "Up to 3 fields with commas between; `-` before a name sorts descending",
        default: "-createdAt",
      }),
      ...viewing,
      limit,
      cursor,
    }),
    asks: ({ typeModel, model, filter, or, ...asked }) => ({
      method: "GET",
      path: pathOf("data", typeModel, model),
      query: [...queryOf(asked), ...filterQuery(filter, or)],
      answers: "page",
    }),
  }),
  tool({
    name: "get_record",
    title: "Read a record",
    description:
      "Reads one record, with the `etag` that writes take as `ifMatch`. `status: draft` reads its draft.",
    effect: "reads",
    takes: z.strictObject({ ...ofRecord, ...viewing, cursor }),
    asks: ({ typeModel, model, id, locale: code, fallback, status, selectFields, populate }) => ({
      method: "GET",
      path: pathOf("data", typeModel, model, id),
      query: queryOf({ locale: code, fallback, status, selectFields, populate }),
      answers: "whole",
    }),
  }),
  tool({
    name: "record_history",
    title: "Read the history of a record",
    description:
      "Lists the events of a record, latest first: who changed which fields. With `version`, reads the record as it was.",
    effect: "reads",
    takes: z.strictObject({
      ...ofRecord,
      version: z.int().min(1).optional().meta({ description: "The version to read" }),
      ...locale,
      limit,
      cursor,
    }),
    asks({ typeModel, model, id, version, locale: code, ...page }) {
      const path = pathOf("data", typeModel, model, id, "versions");
      if (version === undefined) return { method: "GET", path, query: queryOf(page), answers: "page" };
      const query = queryOf({ locale: code });
      return { method: "GET", path: `${path}${pathOf(String(version))}`, query, answers: "whole" };
    },
  }),
  tool({
    name: "find_media",
    title: "Find media",
    description:
      "Lists pictures of the media library by words and filters, with sizes, alt texts and copyright.",
    effect: "reads",
    takes: z.strictObject({
      ...filtering(
        `Fields: ${MEDIA_FILTERS.join(", ")}. Operators as in find_records`,
        "file name, alt text, creator and copyright notice together",
      ),
      sort: z
        .string()
        .optional()
        .meta({
          description: `Up to 3 of ${MEDIA_SORTS.join(", ")} with commas between; \`-\` before a name sorts descending`,
          default: "-createdAt",
        }),
      ...locale,
      limit,
      cursor,
    }),
    asks: ({ filter, or, ...asked }) => ({
      method: "GET",
      path: pathOf("media"),
      query: [...queryOf(asked), ...filterQuery(filter, or)],
      answers: "page",
      view: mediaLine,
    }),
  }),
  tool({
    name: "picture_url",
    title: "Make the address of a picture",
    description:
      "Returns public addresses of a picture in a size, crop, quality and format: `url` redirects to the file, `directUrl` answers with its bytes.",
    effect: "reads",
    takes: z.strictObject({ mediaId, ...queryFields(), ...locale }),
    asks({ mediaId: id, locale: code, ...asked }) {
      const given = Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]);
      const known = given.filter(([name]) => (PARAMETER_NAMES as readonly string[]).includes(name));
      const query = pictureQuery(parsePictureParameters(new URLSearchParams(known)));
      return {
        method: "GET",
        path: pathOf("media", id),
        query: queryOf({ locale: code }),
        answers: "short",
        view: (media) => pictureView(query, media),
      };
    },
  }),
  tool({
    name: "space_usage",
    title: "Read the usage of the space",
    description: "Counts records, media, bytes and work that waits.",
    effect: "reads",
    takes: z.strictObject({}),
    asks: () => ({ method: "GET", path: pathOf("usage"), answers: "short" }),
  }),
];
