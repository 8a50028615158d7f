/** Reads and restores the versions of a record. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { components } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import { localeQuery, type InLocale, type Place, type RecordView } from "./records.ts";

type Schemas = components["schemas"];
export type RecordVersion = Schemas["RecordVersion"];
export type RecordEvent = Omit<RecordVersion, "record">;

const VERSIONS = "versions";
/** The service keeps no more of a record. */
const KEPT_MAX = 100;

export function useVersions({ typeModel, name: model }: Place, id: string) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: [VERSIONS, typeModel, model, id],
    staleTime: 0,
    queryFn: async () =>
      (
        await answered(
          api.GET("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}/versions", {
            params: { path: { ...path, typeModel, model, id }, query: { limit: KEPT_MAX } },
          }),
        )
      ).data,
  });
}

/** @param version null for none */
export function useVersion(
  { typeModel, name: model }: Place,
  id: string,
  version: number | null,
  locale: InLocale = null,
) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: [VERSIONS, typeModel, model, id, version, locale],
    enabled: version !== null,
    // An earlier version never changes.
    staleTime: Infinity,
    queryFn: async () =>
      (
        await answered(
          api.GET("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}/versions/{version}", {
            params: {
              path: { ...path, typeModel, model, id, version: String(version) },
              query: localeQuery(locale),
            },
          }),
        )
      ).data.record as RecordView,
  });
}

export function useRestoreVersion({ typeModel, name: model }: Place, id: string) {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    /** @property locale the language to restore alone; null for all of the content */
    mutationFn: ({ version, locale }: { version: number; locale: string | null }) =>
      answered(
        api.POST("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}/versions/{version}/restore", {
          params: {
            path: { ...path, typeModel, model, id, version: String(version) },
            query: localeQuery(locale),
          },
          ...(locale !== null && { body: { locales: [locale] } }),
        }),
      ),
    onSuccess: () => queries.invalidateQueries(),
  });
}
