/** Media items: read, listed, changed, thrown away. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { components, paths } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import { useList, type List, type Shown } from "./list.ts";
import { ALL_LOCALES } from "./records.ts";

export type Media = components["schemas"]["Media"];
export type FocalPoint = components["schemas"]["FocalPoint"];
export type MediaChange =
  paths["/api/v1/{spaceName}/media/{mediaId}"]["patch"]["requestBody"]["content"]["application/json"];

const PAGE_ITEMS = 60;
const LIST = ["media-list"];
const ITEM = "media";
const ALTS = "media-alts";

export interface MediaAsked {
  /** Part of the file's name or the alt text; empty for all. */
  search?: string;
  /** `image/jpeg`; empty for all. */
  mime?: string;
  /** A field, `-` before it to descend; empty for the newest first. */
  sort?: string;
}

/** The document's types of filters do not know groups. */
type ListQuery = NonNullable<paths["/api/v1/{spaceName}/media"]["get"]["parameters"]["query"]>;

function queryOf({ search = "", mime = "", sort = "" }: MediaAsked): ListQuery {
  const words = search.trim();
  const filter = {
    ...(mime !== "" && { mime: { eq: mime } }),
    ...(words !== "" && { or: [{ filename: { icontains: words } }, { alt: { icontains: words } }] }),
  };
  return {
    ...(sort !== "" && { sort }),
    ...(Object.keys(filter).length > 0 && { filter: filter as NonNullable<ListQuery["filter"]> }),
  };
}

export function useMediaList(shown: Shown, asked: MediaAsked = {}): List<Media> {
  const { api, path } = useApi();
  const query = queryOf(asked);
  return useList({
    queryKey: [...LIST, query],
    read: (cursor, signal) =>
      answered(
        api.GET("/api/v1/{spaceName}/media", {
          params: {
            path,
            query: { limit: PAGE_ITEMS, count: "true", ...query, ...(cursor !== null && { cursor }) },
          },
          signal,
        }),
      ),
    trace: ({ width, height }) => width / height,
    shown,
  });
}

export function useMedia(mediaId: string) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: [ITEM, mediaId],
    queryFn: async () =>
      (
        await answered(
          api.GET("/api/v1/{spaceName}/media/{mediaId}", { params: { path: { ...path, mediaId } } }),
        )
      ).data,
  });
}

/** Returns the effect of every change of media: lists and items are read again. */
export function useMediaChanged(): (media?: Media) => Promise<void> {
  const queries = useQueryClient();
  return async (media) => {
    if (media) queries.setQueryData([ITEM, media.id], media);
    await Promise.all([
      queries.invalidateQueries({ queryKey: LIST }),
      queries.invalidateQueries({ queryKey: ["trash"] }),
      queries.invalidateQueries({ queryKey: ["usage"] }),
    ]);
  };
}

export function useChangeMedia(mediaId: string) {
  const { api, path } = useApi();
  const changed = useMediaChanged();
  return useMutation({
    mutationFn: async (body: MediaChange) =>
      (
        await answered(
          api.PATCH("/api/v1/{spaceName}/media/{mediaId}", { params: { path: { ...path, mediaId } }, body }),
        )
      ).data,
    onSuccess: changed,
  });
}

/** The alt texts of an item by the codes of languages. */
export type AltTexts = Readonly<Record<string, string>>;

/** Returns the alt texts of an answer in all languages, whose type is that of one. */
const altsOf = ({ alt }: { alt: unknown }): AltTexts => alt as AltTexts;

/** Reads the alt texts of an item in all languages of its space, which has some. */
export function useAltTexts(mediaId: string) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: [ALTS, mediaId],
    queryFn: async () =>
      altsOf(
        (
          await answered(
            api.GET("/api/v1/{spaceName}/media/{mediaId}", {
              params: { path: { ...path, mediaId }, query: { locale: ALL_LOCALES } },
            }),
          )
        ).data,
      ),
  });
}

/** Changes the alt text of an item, in one language; null in a space without languages. */
export function useChangeAlt(mediaId: string) {
  const { api, path } = useApi();
  const changed = useMediaChanged();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ locale, text }: { locale: string | null; text: string }) =>
      (
        await answered(
          api.PATCH("/api/v1/{spaceName}/media/{mediaId}", {
            params: {
              path: { ...path, mediaId },
              query: locale === null ? {} : { locale: ALL_LOCALES },
            },
            body: { alt: locale === null ? text : { [locale]: text } },
          }),
        )
      ).data,
    onSuccess: async (media, { locale }) => {
      if (locale === null) return changed(media);
      queries.setQueryData([ALTS, mediaId], altsOf(media));
      await queries.invalidateQueries({ queryKey: [ITEM, mediaId] });
      return changed();
    },
  });
}

/** Moves items to the trash, one call each. */
export function useTrashMedia() {
  const { api, path } = useApi();
  const queries = useQueryClient();
  const changed = useMediaChanged();
  return useMutation({
    mutationFn: async (ids: readonly string[]) => {
      for (const mediaId of ids) {
        await answered(
          api.DELETE("/api/v1/{spaceName}/media/{mediaId}", { params: { path: { ...path, mediaId } } }),
        );
        queries.removeQueries({ queryKey: [ITEM, mediaId] });
      }
    },
    onSettled: () => changed(),
  });
}
