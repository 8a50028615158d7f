/** From an order to its answer: busy, failed, or the variant. */
import type { BuildAnswer, BuildOrder } from "../image/build.ts";
import { fitsBeside } from "../image/memory/isolate.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../image/placeholder.ts";
import { planVariant } from "../image/plan.ts";
import { Background, watchWanted } from "./background.ts";
import { bodyOf, type Sending } from "./body.ts";
import { buildVariant, type Built } from "./build.ts";
import { type Booking, Ledger } from "./ledger.ts";
import { makePlaceholder } from "./placeholder/make-placeholder.ts";
import { openSource, ReadBuffers, type Source, SourceLost } from "./source.ts";
import { turn } from "./turn.ts";
import { Workshop } from "./workshop.ts";

/** An isolate is one thread and has one of each, however many rooms share it. */
const ledger = new Ledger();
let workshop: Workshop | null = null;
const buffers = new ReadBuffers();
const background = new Background();

type NotDone = Exclude<BuildAnswer, { ok: true }>;
const BUSY = { ok: false, code: "busy" } as const;

/** Makes a stream of a variant's pieces, which are its own from then on; where they are lent, until it has ended. */
type Send = (
  pieces: Uint8Array<ArrayBuffer>[],
  byteLength: number,
  of: Sending,
) => ReadableStream<Uint8Array>;

/**
 * Takes an order, or answers `busy` without having read anything.
 * @throws SourceLost when the master did not arrive whole
 */
export async function take(
  order: BuildOrder,
  master: ReadableStream<Uint8Array>,
  send: Send = bodyOf,
): Promise<BuildAnswer> {
  // Without a turn of the event loop where there is nothing to wait for: what comes first books first.
  if (background.isRunning) await background.giveWay();
  return inWorkshop(order, master, async (shop, source, booking) => {
    if (!hasRoom(shop, order, booking)) {
      booking.release();
      return BUSY;
    }
    return answer(order, await buildVariant(shop, order, source), shop, booking, send);
  });
}

/**
 * Makes a placeholder, or answers `busy`: at once, or when an order has come meanwhile.
 * @throws SourceLost when the master did not arrive whole
 */
export async function takePlaceholder(
  order: PlaceholderOrder,
  master: ReadableStream<Uint8Array>,
): Promise<PlaceholderAnswer> {
  const work = background.begin();
  if (!work) {
    await master.cancel().catch(() => undefined);
    return BUSY;
  }
  const wantedTurn = async (): Promise<void> => {
    await turn();
    if (work.isUnwanted) throw new Error("an order has come");
  };
  try {
    const made = await inWorkshop(order, master, async (shop, source, booking) => {
      const stopWatching = watchWanted(work, () => source.close());
      try {
        return { ok: true as const, ...(await makePlaceholder(shop, order, source.stream, wantedTurn)) };
      } finally {
        stopWatching();
        booking.release();
      }
    });
    return !made.ok && work.isUnwanted ? BUSY : made;
  } catch (error) {
    if (work.isUnwanted) return BUSY;
    throw error;
  } finally {
    work.end();
  }
}

/** Does one piece of work in the isolate's memories, which ends its booking, or answers why it is not done. */
async function inWorkshop<Done>(
  order: Pick<BuildOrder, "facts" | "sourceBytes" | "peakBytes">,
  master: ReadableStream<Uint8Array>,
  work: (shop: Workshop, source: Source, booking: Booking) => Promise<Done>,
): Promise<Done | NotDone> {
  const booking = ledger.book(order.peakBytes);
  if (!booking) {
    await master.cancel().catch(() => undefined);
    return BUSY;
  }
  const source = openSource(master, order.sourceBytes, { buffers });
  try {
    workshop ??= new Workshop();
    workshop.budgetBytes = booking.budgetBytes;
    return await work(workshop, source, booking);
  } catch (error) {
    booking.release();
    if (source.lost) throw source.lost;
    if (error instanceof SourceLost) throw error;
    return { ok: false, code: "failed", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await source.close();
    buffers.wipe();
  }
}

/**
 * The memories may have grown for builds before: what is planned must fit beside what they are now. Of what no plan
 * would let through, the build itself says what is wrong with it.
 */
function hasRoom(
  shop: Workshop,
  { facts, sourceBytes, spec }: BuildOrder,
  { budgetBytes }: Booking,
): boolean {
  const plan = planVariant(facts, sourceBytes, spec);
  return !plan.ok || fitsBeside(plan.bytes, shop.memoryBytes, budgetBytes);
}

function answer(order: BuildOrder, built: Built, shop: Workshop, booking: Booking, send: Send): BuildAnswer {
  const { width, height } = order.spec;
  const { pieces, byteLength, peakBytes, isInArena } = built;
  // Pieces in the arena keep it from others until they were read; others only count until then.
  if (!isInArena) booking.finish(byteLength);
  const ended = (): void => {
    if (isInArena) shop.clear();
    booking.release();
  };
  const body = send(pieces, byteLength, { ended, areLent: isInArena });
  return { ok: true, byteLength, body, facts: { width, height, peakBytes } };
}
