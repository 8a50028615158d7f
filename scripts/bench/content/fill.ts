/** Fills the space of the bench of the content API with what the articles refer to. */
import { ask } from "./ask.ts";
import { MODELS, type BenchDatabase, type fillModel } from "./data.ts";

export const SPACE = "/api/v1/bench";

/** Makes the space with its models, and the records of all but the articles. */
export async function makeModels(edge: URL, db: BenchDatabase, fill: typeof fillModel): Promise<void> {
  const post = (path: string, body: object) =>
    ask(edge, path, { method: "POST", body: JSON.stringify(body) });
  await post("/api/v1/spaces", { name: "bench" });
  for (const model of MODELS) await post(`${SPACE}/models`, { typeModel: "collections", ...model });
  await fill(db, "cities", 0, 20);
  await fill(db, "companies", 0, 100);
  await fill(db, "authors", 0, 1000);
}
