/** The space itself: its settings and its totals. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { components } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import type { Model } from "./models.ts";

export type SpaceSettings = components["schemas"]["SpaceSettings"];
/** A change of settings. The values of languages that go are dropped only if it names these. */
export type SettingsChange = Partial<SpaceSettings> & { dropLocales?: string[] };

/** A language of the space. The first one is the default. */
export interface Locale {
  code: string;
  /** The language whose values stand in for those that are missing. */
  fallback?: string;
}
export type Usage = components["schemas"]["Usage"];

const SETTINGS = ["settings"];

export function useSettings(enabled = true) {
  const { api, path } = useApi();
  return useQuery({
    queryKey: SETTINGS,
    enabled,
    queryFn: async () => (await answered(api.GET("/api/v1/{spaceName}/settings", { params: { path } }))).data,
  });
}

const NO_LOCALES: readonly Locale[] = [];

export const localesIn = ({ locales }: SpaceSettings): readonly Locale[] => locales;

/** Returns the languages of the space: none until they are read. */
export function useLocales(): readonly Locale[] {
  const { data } = useSettings();
  return data ? localesIn(data) : NO_LOCALES;
}

/**
 * Returns the languages in which the records of a model differ: none for a model whose fields are the same in all, which
 * needs not wait for the settings. Undefined until they are read.
 */
export function useLocalesOf(model: Pick<Model, "fields"> | null | undefined): readonly Locale[] | undefined {
  const isLocalized = model?.fields.some(({ localized }) => localized) === true;
  const { data } = useSettings(isLocalized);
  if (!model) return undefined;
  return isLocalized ? data && localesIn(data) : NO_LOCALES;
}

export function useChangeSettings() {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body: SettingsChange) =>
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
