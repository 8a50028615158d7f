/** Placeholders beside orders in one isolate: they give way, until one is overdue. */
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { askedOrder, piecesOf, readFont } from "../../../scripts/harness/builds.ts";
import { probe } from "../../../scripts/harness/probe-run.ts";
import { image, photo } from "../../../scripts/samples/pictures.ts";
import { acceptOrder, acceptPlaceholder } from "../../../src/builder/accept-order.ts";
import type { MasterFacts } from "../../../src/image/model/facts.ts";
import { planPlaceholder } from "../../../src/image/plan/plan-placeholder.ts";
import type { MasterPieces } from "../../../src/image/protocol/build.ts";
import { placeholderOrderFor } from "../../../src/image/protocol/order.ts";

let file: Buffer;
let facts: MasterFacts;
beforeAll(async () => {
  file = await image(await photo(400, 300))
    .jpeg()
    .toBuffer();
  facts = probe(file);
});
afterEach(() => void vi.useRealTimers());

/** Returns a master that opens once it is released. */
function heldMaster() {
  let release!: () => void;
  let opened!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const isOpened = new Promise<void>((resolve) => (opened = resolve));
  const open = async (): Promise<MasterPieces> => {
    opened();
    await released;
    return piecesOf(file);
  };
  return { open, release, isOpened };
}

const openFile = (): Promise<MasterPieces> => Promise.resolve(piecesOf(file));

function placeholder(isOverdue: boolean, open: typeof openFile) {
  const plan = planPlaceholder(facts, file.length);
  if (!plan.ok) throw new Error(plan.reason);
  const order = { ...placeholderOrderFor(facts, file.length, plan), isOverdue };
  return acceptPlaceholder(order, { space: "one", open, readFont });
}

function build(space: string) {
  const order = askedOrder(file, { width: 200, format: "webp" }, facts);
  return acceptOrder(order, { space, open: openFile, readFont });
}

it("one that is not overdue gives way to an order", async () => {
  const held = heldMaster();
  const made = placeholder(false, held.open);
  await held.isOpened;
  expect(await build("two")).toMatchObject({ ok: true });
  held.release();
  expect(await made).toMatchObject({ ok: false, code: "busy" });
});

it("one that is overdue is made, and orders are told that the isolate is busy", async () => {
  const held = heldMaster();
  const made = placeholder(true, held.open);
  await held.isOpened;
  expect(await build("two")).toMatchObject({ ok: false, code: "busy" });
  held.release();
  expect(await made).toMatchObject({ ok: true });
  expect(await build("two")).toMatchObject({ ok: true });
});

it("one that is overdue waits for its space's turn", async () => {
  // A claim lasts 400 ms. A busy machine may take longer for a placeholder, so the clock stands still.
  vi.useFakeTimers({ toFake: ["Date"] });
  expect(await placeholder(true, openFile)).toMatchObject({ ok: true });
  const held = heldMaster();
  const made = placeholder(true, held.open);
  // The other space asked in vain, so it goes before the space that was served last.
  await held.isOpened;
  expect(await build("two")).toMatchObject({ ok: false, code: "busy" });
  held.release();
  await made;
  expect(await placeholder(true, openFile)).toMatchObject({ ok: false, code: "busy" });
  expect(await build("two")).toMatchObject({ ok: true });
  expect(await placeholder(true, openFile)).toMatchObject({ ok: true });
});
