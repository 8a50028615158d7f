/** Imports whose parts a test runs at the times that it chooses, beside other requests. */
import * as z from "zod";
import type { ImportResult } from "../../../src/exchange/lines.ts";
import { ImportContext } from "../../../src/edge/exchange/import/context.ts";
import { importLines } from "../../../src/edge/exchange/import/import.ts";
import { Report } from "../../../src/edge/exchange/import/report.ts";
import { countedD1, database } from "../../../src/edge/storage/database/database.ts";
import { OF_SYSTEM } from "../../../src/edge/storage/events/actor.ts";
import { readSpaceById } from "../../../src/edge/storage/spaces/spaces.ts";
import type { Client } from "./api.ts";
import { batching } from "./bindings/batching.ts";
import { bindings } from "./rows.ts";

/** Returns a database that does something before its first batch, or another one, as another request may. */
export function afterOther(d1: D1Database, other: () => Promise<unknown>, batches = 1): D1Database {
  let left = batches;
  return batching(d1, async (statements) => {
    left -= 1;
    if (left === 0) await other();
    return d1.batch(statements);
  });
}

/** An import whose parts a test runs at the times that it chooses. */
export class Import {
  readonly context: ImportContext;
  readonly count: { queries: number };

  private constructor(context: ImportContext, count: { queries: number }) {
    this.context = context;
    this.count = count;
  }

  /** @param queries how many it has made already */
  static async begin(
    client: Client,
    isOverwriting = false,
    queries = 0,
    d1: D1Database = bindings.DB,
  ): Promise<Import> {
    const count = { queries };
    const db = database(countedD1(d1, count));
    const space = await readSpaceById(database(bindings.DB), client.space.id);
    if (!space) throw new Error("no space");
    const made = { db, space, origin: OF_SYSTEM, report: new Report(), now: Date.now };
    return new Import(new ImportContext({ ...made, isOverwriting, queries: count }), count);
  }

  run(...lines: object[]): Promise<ImportResult> {
    const none = z.never() as never;
    const encoder = new TextEncoder();
    const raw = lines.map((line, index) => ({ n: index + 1, bytes: encoder.encode(JSON.stringify(line)) }));
    return importLines(this.context, raw, { model: none, settings: none, webhook: none });
  }
}
