/**
 * Runs the edge Worker of the bench in the checkout that is the working directory, by that checkout's own scripts. Prints
 * where it answers as a line of JSON, and ends when its input does.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { EdgeWorker } from "./edge-worker.ts";

const script = pathToFileURL(resolve("scripts/bench/edge/edge-worker.ts")).href;
const { startEdgeWorker } = (await import(script)) as { startEdgeWorker: () => Promise<EdgeWorker> };
const edge = await startEdgeWorker();
console.log(JSON.stringify({ hit: edge.hit.href, pid: edge.pid }));
process.stdin.on("end", () => void edge.stop().then(() => process.exit(0))).resume();
