/** Records: listed, read, made, changed, thrown away. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { paths } from "../../client/index.ts";
import { untitled } from "../lib/format.ts";
import { answered } from "../session/answered.ts";
import { useApi, useMay } from "../session/context.tsx";
import { useList, type List, type Shown } from "./list.ts";
import type { Field, Model } from "./models.ts";

export interface RecordView {
  id: string;
  createdAt: string;
  updatedAt: string;
  version: number;
  [field: string]: unknown;
}

/** Of a model with drafts, editors work on the drafts. */
export type Place = Pick<Model, "typeModel" | "name"> & { drafts?: boolean };

/** What a list of records asks for: what the service takes, nested. */
export interface RecordsQuery {
  sort?: string;
  search?: string;
  populate?: string;
  filter?: Record<string, unknown>;
}

/** What the document says of filters does not know groups. */
type ListQuery = NonNullable<
  paths["/api/v1/{spaceName}/data/{typeModel}/{model}"]["get"]["parameters"]["query"]
>;

const PAGE_ITEMS = 60;
const LIST = "records";
const ONE = "record";

const TEXTS: readonly Field["type"][] = ["string", "text"];

/** What people call a record: its titling field, or the first text that says something. */
export function titleOf(model: Pick<Model, "titleField" | "fields">, record: RecordView): string {
  const named = model.titleField === null ? [] : [model.titleField];
  const texts = model.fields.filter(({ type }) => TEXTS.includes(type)).map(({ name }) => name);
  for (const name of [...named, ...texts]) {
    const value = record[name];
    if ((typeof value === "string" && value !== "") || typeof value === "number") return String(value);
  }
  return untitled(record.id);
}

/** Drafts where there are any and the key may read them. */
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

/**
 * Reads a record. A model without drafts has one content, whichever is requested, so a record can be read before its model is known.
 */
export function useRecord({ typeModel, name }: Place, id: string | null) {
  const { api, path } = useApi();
  const query = useStatus({ drafts: true });
  return useQuery({
    queryKey: [ONE, typeModel, name, id],
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

/** Reads a record once, now: for what a conflict is about. */
export function useReadRecord(place: Place) {
  const { api, path } = useApi();
  const query = useStatus(place);
  const { typeModel, name } = place;
  return async (id: string): Promise<RecordView> => {
    const params = { path: { ...path, typeModel, model: name, id }, query };
    const { data } = await answered(api.GET("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}", { params }));
    return data as RecordView;
  };
}

/** What every change of records calls for. */
function useRecordsChanged({ typeModel, name }: Place): (record?: RecordView) => void {
  const queries = useQueryClient();
  return (record) => {
    if (record) queries.setQueryData([ONE, typeModel, name, record.id], record);
    for (const queryKey of [[LIST], ["trash"], ["usage"], ["references"], ["versions"]])
      void queries.invalidateQueries({ queryKey });
  };
}

export interface Save {
  /** Null for a record that is yet to be made. */
  id: string | null;
  /** The version that the change was made from. */
  version: number | null;
  values: Record<string, unknown>;
}

/** Makes a record, or changes the fields that `values` names. */
export function useSaveRecord(place: Place) {
  const { api, path } = useApi();
  const changed = useRecordsChanged(place);
  const { typeModel, name: model } = place;
  return useMutation({
    mutationFn: async ({ id, version, values }: Save) => {
      const call =
        id === null
          ? api.POST("/api/v1/{spaceName}/data/{typeModel}/{model}", {
              params: { path: { ...path, typeModel, model } },
              body: values,
            })
          : api.PUT("/api/v1/{spaceName}/data/{typeModel}/{model}/{id}", {
              params: { path: { ...path, typeModel, model, id } },
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
