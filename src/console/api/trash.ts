/** The trash: its list, one entry, the way back, and the removal for good. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { components } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import { useList, type List, type Shown } from "./list.ts";

export type TrashEntry = components["schemas"]["TrashEntry"];
export type TrashKind = TrashEntry["kind"];

const TRASH = "trash";
const PAGE_ITEMS = 60;

/** @param kind null for both */
export function useTrash(kind: TrashKind | null, shown: Shown): List<TrashEntry> {
  const { api, path } = useApi();
  return useList({
    queryKey: [TRASH, "list", kind],
    read: (cursor, signal) =>
      answered(
        api.GET("/api/v1/{spaceName}/trash", {
          params: {
            path,
            query: { limit: PAGE_ITEMS, ...(kind && { kind }), ...(cursor !== null && { cursor }) },
          },
          signal,
        }),
      ),
    shown,
  });
}

/** Returns an entry with what was deleted. */
export function useTrashEntry(entryId: string) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: [TRASH, "entry", entryId],
    queryFn: async () =>
      (
        await answered(
          api.GET("/api/v1/{spaceName}/trash/{entryId}", { params: { path: { ...path, entryId } } }),
        )
      ).data,
  });
}

/**
 * Returns the effect of a restored entry, which may change everything: lists, records, media, the totals of the space.
 */
function useAllChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries();
}

export function useRestore() {
  const { api, path } = useApi();
  const changed = useAllChanged();
  return useMutation({
    mutationFn: ({ id: entryId }: TrashEntry) =>
      answered(
        api.POST("/api/v1/{spaceName}/trash/{entryId}/restore", { params: { path: { ...path, entryId } } }),
      ),
    onSuccess: changed,
  });
}

export function usePurge() {
  const { api, path } = useApi();
  const changed = useAllChanged();
  return useMutation({
    mutationFn: ({ id: entryId }: TrashEntry) =>
      answered(api.DELETE("/api/v1/{spaceName}/trash/{entryId}", { params: { path: { ...path, entryId } } })),
    onSuccess: changed,
  });
}
