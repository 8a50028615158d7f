/**
 * `npm run bench resident`: measures what the builder's isolate holds at the largest build of each kind of master and
 * format, in a service that `npm start` starts. RESERVE in src/limits.ts comes from these figures.
 *
 *     npm run bench resident                                  measures everything in about ten minutes
 *     npm run bench resident -- --kinds=jpeg,avif --formats=png
 *
 * One process makes all builds of a kind in a row, so that a figure also covers what earlier builds left behind. The
 * bench ends with an error if a part takes more than RESERVE has for it.
 */
import { variantOf } from "../../harness/api.ts";
import { anonymousBytes } from "../../harness/processes.ts";
import { ISOLATE, RESERVE } from "../../../src/limits.ts";
import type { PlannedMemory } from "../../../src/image/plan/build-plan.ts";
import { mb, table } from "../figures.ts";
import { MASTERS, type MasterKind } from "../masters/kinds.ts";
import { ANIMATIONS } from "./animations.ts";
import { FORMATS, largestBuilds, type LargestBuild } from "./largest.ts";
import { mostOf, plannedPeak, samplesDuring, streamsDuring, type Sample } from "./measure.ts";
import { spaceWith, whileRunning, type Running } from "../service/running.ts";

const KINDS: readonly MasterKind[] = [...MASTERS, ...ANIMATIONS];
const ALL_KINDS = "all kinds and formats, w=500, one after the other";
const SMALL_WIDTH = 500;
/** A build that makes the isolate's memories, before anything is measured. */
const FIRST_QUERY = "w=64&fm=webp";

interface Row extends Sample {
  name: string;
  planned: number;
  /** JavaScript objects that are left after a collection, at the end of all builds of the process. */
  liveHeap: number;
  /** The pieces of the master that are in flight, which are a part of the ArrayBuffers. */
  streams: number;
}

/** Returns the bytes that an isolate holds, garbage among them. */
const totalOf = ({ memories, heap, arrayBuffers, code }: Row): number =>
  memories + heap + arrayBuffers + code;

const abovePlan = (row: Row): number => totalOf(row) - row.planned;

/** Returns the bytes that are in use and that no plan has a place for. The reserve is for these. */
const remainderOf = ({ liveHeap, streams, code }: Row): number => liveHeap + streams + code;

/** Makes the builds one after the other in one process. */
async function measureAll(running: Running, builds: (LargestBuild & { name: string })[]): Promise<Row[]> {
  const { service, builderPid } = running;
  const idleBytes = anonymousBytes(builderPid);
  const files = [...new Set(builds.map(({ file }) => file))];
  const { space, ids } = await spaceWith(service, [...files, ...files]);
  const idOf = (file: Buffer): string => ids[files.indexOf(file)] ?? "";
  const [first] = builds;
  if (!first) return [];
  const inspector = await running.inspect();
  await variantOf(space, idOf(first.file), FIRST_QUERY);
  const before: PlannedMemory[] = [];
  const rows: Row[] = [];
  for (const build of builds) {
    const { name, file, query, memory } = build;
    const samples = await samplesDuring(variantOf(space, idOf(file), query), inspector, builderPid);
    const planned = plannedPeak(before, memory);
    rows.push({ name, planned, liveHeap: 0, streams: 0, ...mostOf(samples, idleBytes) });
    before.push(memory);
  }
  // Last, because looking collects garbage, and leaves memory behind.
  const { usedSize, embedderHeapUsedSize } = await inspector.liveUsage();
  const again = ids[files.length + files.indexOf(first.file)] ?? "";
  const seen = await streamsDuring(variantOf(space, again, first.query), inspector);
  // Ranges that a PNG is read by are buffers of the plan, and have the size of pieces.
  const streams = Math.max(0, seen - first.memory.buffers);
  inspector.close();
  return rows.map((row) => ({ ...row, liveHeap: usedSize + embedderHeapUsedSize, streams }));
}

/** Returns the largest builds of a kind. */
async function ofKind(
  kind: MasterKind,
  formats: typeof FORMATS,
): Promise<(LargestBuild & { name: string })[]> {
  const builds = await largestBuilds(kind, formats);
  return builds.map((build) => {
    const size = kind.name === "svg" ? "" : `, ${build.megapixels} MP`;
    return { ...build, name: `${kind.label}${size} → ${build.format} ${build.query}` };
  });
}

/** Returns small builds of all kinds, which have all codecs compiled in one isolate. */
async function ofAllKinds(formats: typeof FORMATS): Promise<(LargestBuild & { name: string })[]> {
  const builds: LargestBuild[] = [];
  for (const kind of KINDS) {
    const smallest = { ...kind, megapixels: kind.megapixels.slice(0, 1) };
    builds.push(...(await largestBuilds(smallest, formats, [SMALL_WIDTH])));
  }
  return builds.map((build) => ({ ...build, name: ALL_KINDS }));
}

const HEAD = [
  "build",
  "plan's peak",
  "memories",
  "JS heap",
  "live",
  "ArrayBuffers",
  "in flight",
  "code",
  "isolate",
  "above the plan",
  "remainder",
  "process",
];

const cells = (row: Row): string[] => [
  row.name,
  ...[row.planned, row.memories, row.heap, row.liveHeap, row.arrayBuffers, row.streams, row.code].map(mb),
  ...[totalOf(row), abovePlan(row), remainderOf(row), row.process].map(mb),
];

/** Returns the values of the flag `--name=`, split at commas. */
const listOf = (flags: string[], name: string): string[] | undefined =>
  flags
    .find((flag) => flag.startsWith(`--${name}=`))
    ?.split("=")[1]
    ?.split(",");

/** @throws Error when a part is larger than what RESERVE has for it */
function report(rows: Row[]): void {
  table([HEAD, ...rows.map(cells)]);
  const most = (of: (row: Row) => number): number => Math.max(...rows.map(of));
  const parts = [
    ["live JS heap", most(({ liveHeap }) => liveHeap), RESERVE.heapBytes],
    ["in flight", most(({ streams }) => streams), RESERVE.streamsBytes],
    ["code", most(({ code }) => code), RESERVE.codeBytes],
    ["remainder", most(remainderOf), ISOLATE.reserveBytes - RESERVE.marginBytes],
  ] as const;
  console.log("\nThe most of each part, and what src/limits.ts has for it:\n");
  table([["part", "most", "has"], ...parts.map(([name, ...bytes]) => [name, ...bytes.map(mb)])]);
  const over = parts.filter(([, bytes, has]) => bytes > has).map(([name]) => name);
  if (over.length > 0) throw new Error(`larger than src/limits.ts has it: ${over.join(", ")}`);
}

export async function benchResident(flags: string[]): Promise<void> {
  const [kinds, formats] = [listOf(flags, "kinds"), listOf(flags, "formats")];
  const isWanted = (name: string): boolean => kinds?.includes(name) ?? true;
  const wanted = FORMATS.filter((format) => formats?.includes(format) ?? true);
  const rows: Row[] = [];
  const measure = (builds: (LargestBuild & { name: string })[]): Promise<void> =>
    whileRunning(
      async (running) => {
        const measured = await measureAll(running, builds);
        // Nothing is given back, so the last of small builds is after all of them.
        const shown = builds[0]?.name === ALL_KINDS ? measured.slice(-1) : measured;
        for (const row of shown) console.error(cells(row).join("  "));
        rows.push(...shown);
      },
      { isInspected: true },
    );
  for (const kind of KINDS.filter(({ name }) => isWanted(name))) await measure(await ofKind(kind, wanted));
  if (isWanted("all")) await measure(await ofAllKinds(wanted));
  report(rows);
}
