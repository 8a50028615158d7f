/** Requests to the Worker with their costs at D1: queries, rows read and written, and the bytes of what was read. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import handlers from "../../../src/edge/worker.ts";
import { bindings } from "./rows.ts";

export interface Costs {
  queries: number;
  rowsRead: number;
  rowsWritten: number;
  /** The rows that one statement wrote at most, with those of indexes. */
  rowsWrittenAtOnce: number;
  /** The bytes of all results, as JSON. */
  bytes: number;
}

export interface Counted<Data> extends Costs {
  status: number;
  data: Data;
  meta?: { nextCursor: string | null };
  /** The bytes of the answer. */
  answerBytes: number;
}

const INNER = Symbol("inner");

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

export const noCosts = (): Costs => ({
  queries: 0,
  rowsRead: 0,
  rowsWritten: 0,
  rowsWrittenAtOnce: 0,
  bytes: 0,
});

/** Returns the database of the tests, whose costs are added to `costs`. */
export function countingDatabase(costs: Costs): D1Database {
  const add = ({ meta, results }: D1Result): void => {
    costs.rowsRead += meta.rows_read;
    costs.rowsWritten += meta.rows_written;
    costs.rowsWrittenAtOnce = Math.max(costs.rowsWrittenAtOnce, meta.rows_written);
    costs.bytes += bytesOf(JSON.stringify(results));
  };
  const counted = (statement: D1PreparedStatement): D1PreparedStatement =>
    ({
      [INNER]: statement,
      bind: (...values: unknown[]) => counted(statement.bind(...values)),
      all: async () => {
        const result = await statement.all();
        costs.queries++;
        add(result);
        return result;
      },
      run: async () => {
        const result = await statement.run();
        costs.queries++;
        add(result);
        return result;
      },
      // These two do not say what was read: asked once more, for the figure.
      first: async () => {
        add(await statement.all());
        costs.queries++;
        return statement.first();
      },
      raw: async () => {
        add(await statement.all());
        costs.queries++;
        return statement.raw();
      },
    }) as unknown as D1PreparedStatement;
  return {
    prepare: (text: string) => counted(bindings.DB.prepare(text)),
    batch: async (statements: (D1PreparedStatement & { [INNER]?: D1PreparedStatement })[]) => {
      const results = await bindings.DB.batch(statements.map((one) => one[INNER] ?? one));
      costs.queries++;
      for (const result of results) add(result);
      return results;
    },
  } as unknown as D1Database;
}

/** Makes a request with the root token, and counts what it costs. */
export async function countedCall<Data = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
): Promise<Counted<Data>> {
  const costs = noCosts();
  const context = createExecutionContext();
  const headers = { Authorization: `Bearer ${bindings.ROOT_TOKEN}`, "Content-Type": "application/json" };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const env = { ...bindings, DB: countingDatabase(costs) };
  const response = await handlers.fetch(new Request(`https://api.test${path}`, init), env, context);
  const text = await response.text();
  await waitOnExecutionContext(context);
  const { data, meta } = JSON.parse(text) as Pick<Counted<Data>, "data" | "meta">;
  return { ...costs, status: response.status, data, ...(meta && { meta }), answerBytes: bytesOf(text) };
}
