/** Media items: read, listed, changed, thrown away. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { components, paths } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import { useList, type List, type Shown } from "./list.ts";

export type Media = components["schemas"]["Media"];
export type FocalPoint = components["schemas"]["FocalPoint"];
export type MediaChange =
  paths["/api/v1/{spaceName}/media/{mediaId}"]["patch"]["requestBody"]["content"]["application/json"];

const PAGE_ITEMS = 60;
const LIST = ["media-list"];
const ITEM = "media";

export interface MediaAsked {
  /** Part of the file's name or the alt text; empty for all. */
  search?: string;
  /** `image/jpeg`; empty for all. */
  mime?: string;
  /** A field, `-` before it to descend; empty for the newest first. */
  sort?: string;
}

/** What the document says of filters does not know groups. */
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

/** What every change of media calls for: lists and items are read again. */
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
