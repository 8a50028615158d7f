/** Records published and taken back, now or at a time. */
import { useMutation } from "@tanstack/preact-query";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import { localeQuery, useRecordsChanged, type InLocale, type Place, type RecordView } from "./records.ts";

export interface Step {
  id: string;
  step: "publish" | "unpublish";
  /** An ISO time; null takes back what is planned; undefined is now. */
  at?: string | null;
  /** The languages that it is for; undefined for all of them. */
  locales?: readonly string[] | undefined;
  /** The version that the editor sees. If the record has another one, nothing changes. Undefined for any version. */
  version?: number | undefined;
}

export function usePublish(place: Place, locale: InLocale = null) {
  const { typeModel, name: model } = place;
  const { api, path } = useApi();
  const changed = useRecordsChanged(place, locale);
  return useMutation({
    mutationFn: async ({ id, step, at, locales, version }: Step) => {
      const params = {
        path: { ...path, typeModel, model, id },
        query: localeQuery(locale),
        ...(version !== undefined && { header: { "If-Match": `"${version}"` } }),
      };
      const body = { ...(at !== undefined && { at }), ...(locales && { locales: [...locales] }) };
      const call =
        step === "publish"
          ? api.POST("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}/publish", { params, body })
          : api.POST("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}/unpublish", { params, body });
      return (await answered(call)).data as RecordView;
    },
    onSuccess: (record) => changed(record),
  });
}
