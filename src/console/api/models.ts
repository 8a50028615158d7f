/** Models. All of them are read at once: a space has at most 200, and every form needs them. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/preact-query";
import type { components } from "../../client/index.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";

type Schemas = components["schemas"];
export type TypeModel = Schemas["Model"]["typeModel"];
export type FieldType = Schemas["Field"]["type"];
export type PlannedChange = Schemas["PlannedModelChange"];

/** A field with the options of all types. `FIELD_TYPES` lists the options that each type takes. */
export interface Field {
  name: string;
  type: FieldType;
  label?: string | undefined;
  description?: string | undefined;
  required?: boolean | undefined;
  unique?: boolean | undefined;
  searchable?: boolean | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  integer?: boolean | undefined;
  min?: number | undefined;
  max?: number | undefined;
  values?: string[] | undefined;
  multiple?: boolean | undefined;
  to?: string | undefined;
  component?: string | undefined;
  components?: string[] | undefined;
  styles?: string[] | undefined;
  lists?: string[] | undefined;
  decorators?: string[] | undefined;
  annotations?: ("link" | { name: "internalLink"; to: string })[] | undefined;
  image?: boolean | undefined;
  localized?: boolean | undefined;
  requiredIn?: "all" | undefined;
  default?: unknown;
}

export type Model = Omit<Schemas["Model"], "fields"> & { fields: Field[] };

/** A model that has records. Components have none: they stand inside of records. */
export type RecordModel = Model & { typeModel: Exclude<TypeModel, "components"> };

export const hasRecords = (model: Model): model is RecordModel => model.typeModel !== "components";

/** Returns the collection that a field leads to. */
export const collectionNamed = (
  models: readonly Model[],
  name: string | null | undefined,
): RecordModel | undefined =>
  models.filter(hasRecords).find((model) => model.typeModel === "collections" && model.name === name);

/** The parts of a model that an admin writes beside its kind and name. */
export interface ModelBody {
  label: string | null;
  description: string | null;
  titleField: string | null;
  previewUrl: string | null;
  drafts: boolean;
  public: boolean;
  fields: Field[];
}
export interface ModelChangeBody extends ModelBody {
  version: number;
  rename: Record<string, string>;
  drop: string[];
}

const MODELS = ["models"];
const PAGE_MODELS = 100;
/** Casts fields for the client. The service checks them by their type; the console has one type for all of them. */
const sent = (fields: Field[]): Schemas["Field"][] => fields as Schemas["Field"][];

/** Returns the label of a field, or its name. */
export const labelOf = ({ label, name }: Pick<Field, "label" | "name">): string => label ?? name;

export const nameOf = ({ label, name }: Pick<Model, "label" | "name">): string => label ?? name;

export function useModels() {
  const { api, path } = useApi();
  return useQuery({
    queryKey: MODELS,
    queryFn: async () => {
      const models: Model[] = [];
      let cursor: string | null = null;
      do {
        const query: { limit: number; cursor?: string } = {
          limit: PAGE_MODELS,
          ...(cursor !== null && { cursor }),
        };
        const page = await answered(api.GET("/api/v1/{spaceName}/models", { params: { path, query } }));
        models.push(...(page.data as Model[]));
        cursor = page.meta.nextCursor;
      } while (cursor !== null);
      return models;
    },
  });
}

/** Returns one of the models; undefined while they are read, null if none has this name. */
export function useModel(typeModel: string, name: string) {
  const { data, error, refetch } = useModels();
  const model = data?.find((one) => one.typeModel === typeModel && one.name === name);
  return { models: data, model: data ? (model ?? null) : undefined, error, refetch };
}

/** Returns one of the models that have records, as `useModel` does. */
export function useRecordModel(typeModel: string, name: string) {
  const { model, ...read } = useModel(typeModel, name);
  return { ...read, model: model && !hasRecords(model) ? null : model };
}

export function useCreateModel() {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ fields, ...body }: ModelBody & { typeModel: TypeModel; name: string }) =>
      (
        await answered(
          api.POST("/api/v1/{spaceName}/models", {
            params: { path },
            body: { ...body, fields: sent(fields) },
          }),
        )
      ).data as Model,
    onSuccess: () => queries.invalidateQueries({ queryKey: MODELS }),
  });
}

/** Asks the service for the effect of a change, without making it. */
export function usePlanModelChange({ typeModel, name }: Pick<Model, "typeModel" | "name">) {
  const { api, path } = useApi();
  return useMutation({
    mutationFn: async ({ fields, ...body }: ModelChangeBody) =>
      (
        await answered(
          api.PUT("/api/v1/{spaceName}/models/{typeModel}/{model}", {
            params: { path: { ...path, typeModel, model: name }, query: { dryRun: "true" } },
            body: { ...body, fields: sent(fields) },
          }),
        )
      ).data as PlannedChange,
  });
}

export function useChangeModel({ typeModel, name }: Pick<Model, "typeModel" | "name">) {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ fields, ...body }: ModelChangeBody) =>
      (
        await answered(
          api.PUT("/api/v1/{spaceName}/models/{typeModel}/{model}", {
            params: { path: { ...path, typeModel, model: name } },
            body: { ...body, fields: sent(fields) },
          }),
        )
      ).data as Model,
    onSuccess: (model) => {
      queries.setQueryData<Model[]>(MODELS, (known) =>
        known?.map((one) => (one.typeModel === typeModel && one.name === name ? model : one)),
      );
      void queries.invalidateQueries({ queryKey: ["records"] });
      void queries.invalidateQueries({ queryKey: ["record"] });
    },
  });
}

export function useRemoveModel({ typeModel, name }: Pick<Model, "typeModel" | "name">) {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      answered(
        api.DELETE("/api/v1/{spaceName}/models/{typeModel}/{model}", {
          params: { path: { ...path, typeModel, model: name } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: MODELS }),
  });
}
