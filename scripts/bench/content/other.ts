/**
 * Compares the content API with that of another checkout: the same requests over as many records, in turns, each in a
 * workerd of its own. The packages of the other checkout must be installed and its generated files built.
 */
import { ask } from "./ask.ts";
import { fillModel } from "./data.ts";
import { makeModels } from "./fill.ts";
import { ROUTES } from "./routes.ts";
import { start } from "./worker.ts";
import { median, ms, table } from "../figures.ts";
import { startOther } from "../edge/other-checkout.ts";

const ROUNDS = 40;
const PROCESS = new URL("content-process.ts", import.meta.url);

export async function compareContent(checkout: string, records: number): Promise<void> {
  const other = await startOther<{ edge: string }>(PROCESS, checkout, [String(records)]);
  const own = await start();
  try {
    await makeModels(own.edge, own.db, fillModel);
    await fillModel(own.db, "articles", 0, records);
    const edges = [own.edge, new URL(other.said.edge)];
    const rows: string[][] = [];
    for (const [name, path] of ROUTES) {
      const times: number[][] = [[], []];
      for (const edge of edges) await ask(edge, path);
      for (let round = 0; round < ROUNDS; round++) {
        // Each of them goes first equally often.
        for (const at of round % 2 === 0 ? [0, 1] : [1, 0])
          times[at]?.push((await ask(edges[at] as URL, path)).ms);
      }
      const [mine = [], theirs = []] = times;
      const ratios = mine.map((one, round) => one / (theirs[round] ?? NaN));
      rows.push([name, ms(median(mine)), ms(median(theirs)), median(ratios).toFixed(2)]);
    }
    table([["request", "time", "of the other checkout", "ratio"], ...rows]);
    console.log(
      `\n${records} records; medians of ${ROUNDS} rounds in turns, and the median of their ratios.`,
    );
  } finally {
    await own.stop();
    await other.stop();
  }
}
