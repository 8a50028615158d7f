/** Many records published, taken back or thrown away together. */
import { useMutation, useQueryClient } from "@tanstack/preact-query";
import { CONTENT } from "../../limits.ts";
import { answered } from "../session/answered.ts";
import { useApi } from "../session/context.tsx";
import { bulkFaults, IF_MATCH, type BulkFault, type BulkRecord } from "./bulk-faults.ts";
import type { RecordModel } from "./models.ts";

export type BulkStep = "publish" | "unpublish" | "delete";

export interface BulkChange {
  step: BulkStep;
  records: readonly BulkRecord[];
}

export interface BulkOutcome {
  /** Ids of the records that the step was taken for. */
  done: string[];
  /** Ids of the others. */
  left: string[];
  /** The reasons that stand in the way, per record. */
  faults: BulkFault[];
  /** Null when all was done. */
  error: Error | null;
}

const operationOf = (step: BulkStep, { id, version }: BulkRecord) => ({
  op: step,
  id,
  ...(version !== undefined && { [IF_MATCH]: `"${version}"` }),
});

/** Changes many records. A call takes so many of them, all or none: where one call fails, those before it are done. */
export function useBulk({ typeModel, name: model, fields }: RecordModel) {
  const { api, path } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ step, records }: BulkChange): Promise<BulkOutcome> => {
      const ids = records.map(({ id }) => id);
      for (let start = 0; start < records.length; start += CONTENT.bulkOperationsMax) {
        const slice = records.slice(start, start + CONTENT.bulkOperationsMax);
        try {
          await answered(
            api.POST("/api/v1/{spaceName}/data/{typeModel}/{model}/bulk", {
              params: { path: { ...path, typeModel, model } },
              body: { operations: slice.map((record) => operationOf(step, record)) },
            }),
          );
        } catch (error) {
          const [done, left] = [ids.slice(0, start), ids.slice(start)];
          return { done, left, faults: bulkFaults(error, slice, { fields }), error: error as Error };
        }
      }
      return { done: ids, left: [], faults: [], error: null };
    },
    onSettled: () => {
      for (const queryKey of [["records"], ["record"], ["trash"], ["usage"], ["references"], ["versions"]])
        void queries.invalidateQueries({ queryKey });
    },
  });
}
