/** Lists, reads, creates, changes and deletes records. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { paths } from "../../client/index.ts";
import { untitled } from "../lib/format.ts";
import { answered } from "../session/answered.ts";
import { useApi, useMay } from "../session/context.tsx";
import { useList, type List, type Shown } from "./list.ts";
import { titlesFirst } from "./field-types.ts";
import type { Model, RecordModel } from "./models.ts";

export interface RecordView {
  id: string;
  createdAt: string;
  updatedAt: string;
  version: number;
  [field: string]: unknown;
}

/** A model whose records are asked for. Editors work on drafts if the model has them. */
export type Place = Pick<RecordModel, "typeModel" | "name"> & { drafts?: boolean };

/** The query of a list of records, in the nested form that the client takes. */
export interface RecordsQuery {
  sort?: string;
  search?: string;
  populate?: string;
  filter?: Record<string, unknown>;
  locale?: string;
  fallback?: "true";
}

/** The query as the API document describes it, which lacks the groups of filters. */
type ListQuery = NonNullable<
  paths["/api/v1/{spaceName}/data/{typeModel}/{model}"]["get"]["parameters"]["query"]
>;

/**
 * The languages of a record in requests: `all` for localized fields as objects by code, the code of one, or null for
 * the default. A space without languages takes no such word.
 */
export type InLocale = string | null;

export const ALL_LOCALES = "all";

/** Returns the parameter of a request. The types of the client have it for some calls alone. */
export const localeQuery = (locale: InLocale): { locale?: string } => (locale === null ? {} : { locale });

const PAGE_ITEMS = 60;
const LIST = "records";
const ONE = "record";

/** Returns the title of a record: the value of its title field, or its first text that is not empty. */
export function titleOf(model: Pick<Model, "titleField" | "fields">, record: RecordView): string {
  const named = model.titleField === null ? [] : [model.titleField];
  const texts = model.fields.filter(titlesFirst).map(({ name }) => name);
  for (const name of [...named, ...texts]) {
    const value = record[name];
    if ((typeof value === "string" && value !== "") || typeof value === "number") return String(value);
  }
  return untitled(record.id);
}

/** Asks for drafts if the model has them and the key may read them. */
const useStatus = ({ drafts = false }: Pick<Place, "drafts">): { status?: "draft" } =>
  useMay("preview") && drafts ? { status: "draft" } : {};

export function useRecords(place: Place, asked: RecordsQuery, shown: Shown): List<RecordView> {
  const { api, path } = useApi();
  const status = useStatus(place);
  const { typeModel, name } = place;
  return useList({
    queryKey: [LIST, typeModel, name, asked],
    read: async (cursor, signal) => {
      const query = {
        limit: PAGE_ITEMS,
        count: "true",
        ...status,
        ...asked,
        ...(cursor !== null && { cursor }),
      };
      const answer = await answered(
        api.GET("/api/v1/{spaceName}/data/{typeModel}/{model}", {
          params: { path: { ...path, typeModel, model: name }, query: query as ListQuery },
          signal,
        }),
      );
      return { ...answer, data: answer.data as RecordView[] };
    },
    shown,
  });
}

/** Reads a record. A model without drafts ignores the request for drafts, so its definition need not be known yet. */
export function useRecord({ typeModel, name }: Place, id: string | null, locale: InLocale = null) {
  const { api, path } = useApi();
  const query = { ...useStatus({ drafts: true }), ...localeQuery(locale) };
  return useQuery({
    queryKey: [ONE, typeModel, name, id, locale],
    enabled: id !== null,
    // A form starts from what is there now.
    staleTime: 0,
    queryFn: async () => {
      const params = { path: { ...path, typeModel, model: name, id: id ?? "" }, query };
      const { data } = await answered(
        api.GET("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}", { params }),
      );
      return data as RecordView;
    },
  });
}

/** Reads a record once, for a conflict. */
export function useReadRecord(place: Place, locale: InLocale = null) {
  const { api, path } = useApi();
  const query = { ...useStatus(place), ...localeQuery(locale) };
  const { typeModel, name } = place;
  return async (id: string): Promise<RecordView> => {
    const params = { path: { ...path, typeModel, model: name, id }, query };
    const { data } = await answered(api.GET("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}", { params }));
    return data as RecordView;
  };
}

/** Returns a function that updates the cache after a change of records. @param locale the form of a record that it gets */
export function useRecordsChanged(
  { typeModel, name }: Place,
  locale: InLocale = null,
): (record?: RecordView) => void {
  const queries = useQueryClient();
  return (record) => {
    if (record) {
      const own = [ONE, typeModel, name, record.id, locale];
      queries.setQueryData(own, record);
      // Its other forms are read again when they are shown.
      void queries.invalidateQueries({
        queryKey: [ONE, typeModel, name, record.id],
        predicate: ({ queryKey }) => queryKey[own.length - 1] !== locale,
      });
    }
    for (const queryKey of [[LIST], ["trash"], ["usage"], ["references"], ["versions"]])
      void queries.invalidateQueries({ queryKey });
  };
}

export interface Save {
  /** Null for a new record. */
  id: string | null;
  /** The version that the change was made from. */
  version: number | null;
  values: Record<string, unknown>;
}

/** Creates a record, or changes the fields that `values` names. */
export function useSaveRecord(place: Place, locale: InLocale = null) {
  const { api, path } = useApi();
  const changed = useRecordsChanged(place, locale);
  const query = localeQuery(locale);
  const { typeModel, name: model } = place;
  return useMutation({
    mutationFn: async ({ id, version, values }: Save) => {
      const call =
        id === null
          ? api.POST("/api/v1/{spaceName}/data/{typeModel}/{model}", {
              params: { path: { ...path, typeModel, model }, query },
              body: values,
            })
          : api.PUT("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}", {
              params: { path: { ...path, typeModel, model, id }, query },
              body: { ...values, ...(version !== null && { version }) },
            });
      return (await answered(call)).data as RecordView;
    },
    onSuccess: (record) => changed(record),
  });
}

export function useTrashRecord({ typeModel, name: model }: Place) {
  const { api, path } = useApi();
  const queries = useQueryClient();
  const changed = useRecordsChanged({ typeModel, name: model });
  return useMutation({
    mutationFn: (id: string) =>
      answered(
        api.DELETE("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}", {
          params: { path: { ...path, typeModel, model, id } },
        }),
      ),
    onSuccess: (_, id) => {
      queries.removeQueries({ queryKey: [ONE, typeModel, model, id] });
      changed();
    },
  });
}
