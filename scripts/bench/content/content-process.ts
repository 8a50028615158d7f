/**
 * Runs the content API of the bench in the checkout that is the working directory, by that checkout's own scripts, over as
 * many records as its argument says. Prints where it answers as a line of JSON, and ends when its input does.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type * as data from "./data.ts";
import type * as worker from "./worker.ts";
import { makeModels } from "./fill.ts";

const scriptOf = (name: string): string => pathToFileURL(resolve("scripts/bench/content", name)).href;
const { start } = (await import(scriptOf("worker.ts"))) as typeof worker;
const { fillModel } = (await import(scriptOf("data.ts"))) as typeof data;

const service = await start();
await makeModels(service.edge, service.db, fillModel);
await fillModel(service.db, "articles", 0, Number(process.argv[2]));
console.log(JSON.stringify({ edge: service.edge.href }));
process.stdin.on("end", () => void service.stop().then(() => process.exit(0))).resume();
