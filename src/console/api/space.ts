/** The space itself: its settings and what it holds. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { components } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";

export type SpaceSettings = components["schemas"]["SpaceSettings"];
export type Usage = components["schemas"]["Usage"];

const SETTINGS = ["settings"];

export function useSettings() {
  const { api, path } = useApi();
  return useQuery({
    queryKey: SETTINGS,
    queryFn: async () => (await answered(api.GET("/api/v1/{spaceName}/settings", { params: { path } }))).data,
  });
}

export function useChangeSettings() {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: Partial<SpaceSettings>) =>
      (await answered(api.PATCH("/api/v1/{spaceName}/settings", { params: { path }, body }))).data,
    onSuccess: (settings) => queries.setQueryData(SETTINGS, settings),
  });
}

/** @param everyMs how often it is read again; false for when it is looked at anew */
export function useUsage(everyMs: number | false = false) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: ["usage"],
    queryFn: async () => (await answered(api.GET("/api/v1/{spaceName}/usage", { params: { path } }))).data,
    refetchInterval: everyMs,
  });
}
