/**
 * Prints the rooms of src and their imports as floors: a room stands above every room that it imports. It is part of
 * `npm run check`, and `node scripts/run.mjs scripts/check/rooms.ts` runs it alone. It fails when rooms import each
 * other in a circle.
 */
import { spawnSync } from "node:child_process";

interface Module {
  source: string;
  dependencies: { resolved: string }[];
}

const MAX_JSON_BYTES = 256 * 1024 * 1024;

/**
 * The bindings, the queue's messages and the names of this machine. They lie at the top of the edge Worker's folder, and
 * its rooms import them.
 */
const BINDINGS = ["src/edge/config.ts", "src/edge/messages.ts", "src/edge/this-machine.ts"];

/** The registry of formats and its entries. They are plain data below the other rooms of src/image. */
const REGISTRY = /^src\/image\/formats\/(?:registry|descriptor|[^/]+\/format)\.ts$/;

/** Returns the room of a file: a folder of a Worker, or a file directly in src. */
function roomOf(path: string): string {
  if (BINDINGS.includes(path)) return "edge/config";
  if (REGISTRY.test(path)) return "image/formats/registry";
  const parts = path.split("/").slice(0, -1);
  return parts.length <= 1 ? path : parts.slice(1, 3).join("/");
}

function modules(): Module[] {
  const args = ["--config", ".dependency-cruiser.mjs", "--output-type", "json", "src"];
  const { stdout } = spawnSync("node_modules/.bin/depcruise", args, {
    encoding: "utf8",
    maxBuffer: MAX_JSON_BYTES,
  });
  return (JSON.parse(stdout) as { modules: Module[] }).modules;
}

function arrows(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules()) {
    if (!source.startsWith("src/")) continue;
    const room = roomOf(source);
    const imports = graph.get(room) ?? new Set();
    graph.set(room, imports);
    for (const { resolved } of dependencies) {
      if (resolved.startsWith("src/") && roomOf(resolved) !== room) imports.add(roomOf(resolved));
    }
  }
  return graph;
}

/**
 * Returns the floor of each room. A room on floor 0 imports no other. @throws Error that names the rooms of a circle
 */
function floors(graph: ReadonlyMap<string, ReadonlySet<string>>): Map<string, number> {
  const floor = new Map<string, number>();
  const visit = (room: string, path: readonly string[]): number => {
    const known = floor.get(room);
    if (known !== undefined) return known;
    if (path.includes(room)) throw new Error(`A circle of rooms: ${[...path, room].join(" → ")}`);
    const below = [...(graph.get(room) ?? [])].map((next) => visit(next, [...path, room]));
    const own = below.length === 0 ? 0 : Math.max(...below) + 1;
    floor.set(room, own);
    return own;
  };
  for (const room of graph.keys()) visit(room, []);
  return floor;
}

const graph = arrows();
try {
  const floor = floors(graph);
  for (let level = Math.max(...floor.values()); level >= 0; level--) {
    console.log(`floor ${level}`);
    for (const [room] of [...floor].filter(([, own]) => own === level).sort()) {
      const imports = [...(graph.get(room) ?? [])].sort().join(", ");
      console.log(`  ${room}${imports && ` → ${imports}`}`);
    }
  }
  const count = [...graph.values()].reduce((sum, { size }) => sum + size, 0);
  console.log(`${graph.size} rooms, ${count} arrows, none upwards`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
