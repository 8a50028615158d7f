/** New encoders deployed in the middle of a build and of an upload: nothing lost, stuck or double, no file under a name of other encoders. */
import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { beforeEach, describe, expect, test } from "vitest";
import { ENCODER_VERSION } from "../../../src/image/model/variant.ts";
import { CACHE, DAY_MS, QUEUE } from "../../../src/limits.ts";
import { cleanBetweenTests, hastyVisitors, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import {
  build,
  builder,
  Gate,
  hangs,
  inParts,
  part,
  refuses,
  type Behaviour,
} from "../support/builder/fake-builder.ts";
import { picture } from "../support/http.ts";
import { objectOf, queueOf, queueSql } from "../support/queue.ts";
import { bindings, JPEG_FACTS, makeMedia, makeSpace, type Media, type Space } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";
import { gifOf, keysIn, partOf, Uploader } from "../support/uploads.ts";

cleanBetweenTests();

const NEW = `-e${ENCODER_VERSION}.`;
const OLD = `-e${ENCODER_VERSION - 2}.`;
const FILE = `w64-q80${NEW}jpg`;

let space: Space;
let media: Media;
beforeEach(async () => {
  // A builder that hangs loses its build before a patient visitor leaves.
  hastyVisitors();
  space = await makeSpace();
  const size = { width: 1200, height: 900, codedWidth: 1200, codedHeight: 900 };
  media = await makeMedia(space, { ...JPEG_FACTS, ...size });
});

const ask = (query = "w=64") => picture(space.name, media.id, query);
const alarm = (): Promise<boolean> => runDurableObjectAlarm(objectOf(space));
const jobs = (): Promise<{ key: string }[]> => queueSql(space, "SELECT key FROM jobs");
const isIdle = () =>
  eventually(async () => {
    const { running, lightWaiting, heavyWaiting } = await queueOf(space).usage();
    expect([running, lightWaiting, heavyWaiting]).toEqual([0, 0, 0]);
  });

/** Renames what an edge of this version has begun to what the one before would have left. */
async function asOfOlderEncoders(): Promise<void> {
  await queueSql(
    space,
    "UPDATE jobs SET key = replace(key, ?1, ?2), request = replace(request, ?1, ?2)",
    ...[NEW, OLD],
  );
  await bindings.DB.prepare("UPDATE doomed_objects SET key = replace(key, ?, ?)").bind(NEW, OLD).run();
}

/** Deploys: every object ends in the middle of its work, and an isolate begins that remembers nothing. */
async function deployOver(): Promise<void> {
  await abortAllDurableObjects();
  await asOfOlderEncoders();
  moveClock(CACHE.factsMs);
}

const filesOf = (keys: string[]): string[] => keys.map((key) => key.split("/").at(-1) ?? "");

/**
 * Checks that two days later there is one file with its row, and nothing else: no job, no pending delete, no part of an
 * upload.
 */
async function expectOnly(file: string): Promise<void> {
  await eventually(async () => expect((await ask()).state).toBe("hit"));
  await runSweep(Date.now() + 2 * DAY_MS);
  const rows = await bindings.DB.prepare("SELECT file FROM variants").all<{ file: string }>();
  expect(filesOf(await keysIn("v/"))).toEqual([file]);
  expect(rows.results.map((row) => row.file)).toEqual([file]);
  expect(await jobs()).toEqual([]);
  const pending = await bindings.DB.prepare("SELECT key FROM doomed_objects").all();
  expect(pending.results).toEqual([]);
}

describe("in the middle of a build", () => {
  const first = new Uint8Array(5 * 1024 * 1024);
  let gate = new Gate();
  beforeEach(() => void (gate = new Gate()));

  test.each<[string, () => Behaviour]>([
    ["that the builder has not answered", () => hangs],
    ["that the builder answers after the deploy", () => gate.hold],
    ["whose first part is stored", () => inParts(first, hangs, part(first, true))],
  ])("%s: its order ends, and the picture is built once, under the new name", async (_, behaviour) => {
    builder.next(behaviour());
    await ask();
    await builder.called(1);
    await deployOver();
    gate.open();
    await alarm();
    await isIdle();
    expect(await jobs()).toEqual([]);
    await ask();
    await expectOnly(FILE);
    expect(builder.widths()).toEqual([64, 64]);
  });

  test("a request that comes before the alarm is not delayed by the old order", async () => {
    builder.next(hangs);
    await ask();
    await builder.called(1);
    await deployOver();
    await ask();
    await expectOnly(FILE);
  });

  test("what was stored under the old name, and has no row, is swept", async () => {
    builder.next(hangs);
    await ask();
    await builder.called(1);
    await deployOver();
    const key = `v/${space.id}/${media.id}/1/${FILE.replace(NEW, OLD)}`;
    await bindings.BUCKET.put(key, "of the old encoders");
    await ask();
    await expectOnly(FILE);
  });
});

test("orders that waited during the deploy end, and delay nothing", async () => {
  builder.next(hangs);
  for (const width of [128, 236, 500]) await ask(`w=${width}`);
  await builder.called(1);
  await deployOver();
  await ask();
  await expectOnly(FILE);
  expect(builder.widths()).toEqual([128, 64]);
});

test("with the new edge before the new builder: orders wait, and are built without another request", async () => {
  builder.next(...Array<Behaviour>(QUEUE.roomsPerSpace).fill(refuses("version")));
  builder.always(build);
  // They wait for 50 ms and more: looked at later than that, they would be running again.
  moveClock(0);
  await ask();
  await builder.called(QUEUE.roomsPerSpace);
  await eventually(async () => expect(await queueOf(space).usage()).toMatchObject({ running: 0 }));
  expect(filesOf((await jobs()).map(({ key }) => key))).toEqual([FILE]);
  moveClock(5000);
  await alarm();
  await isIdle();
  expect(filesOf(await keysIn("v/"))).toEqual([FILE]);
  await expectOnly(FILE);
});

test("in the middle of an upload in parts: the parts stay, one item is made, its variants are of the new encoders", async () => {
  const uploader = await Uploader.make();
  const file = gifOf(6 * 1024 * 1024);
  const { data } = await uploader.begin(file.length);
  await uploader.put(data.id, 1, partOf(file, 1));
  await abortAllDurableObjects();
  expect((await uploader.read(data.id)).data.received).toEqual([1]);
  await uploader.put(data.id, 2, partOf(file, 2));
  const complete = () => uploader.call<{ id: string }>("POST", `/media/uploads/${data.id}/complete`);
  const [made, again] = [await complete(), await complete()];
  expect([made.status, again.data.id]).toEqual([201, made.data.id]);
  await eventually(async () => {
    const variant = await picture(uploader.space.name, made.data.id, "fm=png");
    expect([variant.state, filesOf([variant.path])]).toEqual(["hit", [`w1${NEW}png`]]);
  });
  expect(filesOf(await keysIn("m/")).filter((name) => name.endsWith(".gif"))).toHaveLength(1);
});
