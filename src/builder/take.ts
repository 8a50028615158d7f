/** From an order to its answer: busy, failed, or the variant. */
import type { BuildAnswer, BuildOrder } from "../image/build.ts";
import type { PlaceholderAnswer, PlaceholderOrder } from "../image/placeholder.ts";
import { Background, watchWanted } from "./background.ts";
import { buildVariant, type Built } from "./build.ts";
import { Ledger } from "./ledger.ts";
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

/** Makes a stream of a variant's pieces, which are its own from then on. */
type Send = (pieces: Uint8Array<ArrayBuffer>[], byteLength: number) => ReadableStream<Uint8Array>;

/**
 * Takes an order, or answers `busy` without having read anything.
 * @throws SourceLost when the master did not arrive whole
 */
export async function take(
  order: BuildOrder,
  master: ReadableStream<Uint8Array>,
  send: Send = streamOf,
): Promise<BuildAnswer> {
  // Without a turn of the event loop where there is nothing to wait for: what comes first books first.
  if (background.isRunning) await background.giveWay();
  return inWorkshop(order, master, async (shop, source) =>
    answer(order, await buildVariant(shop, order, source), send),
  );
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
    const made = await inWorkshop(order, master, async (shop, source) => {
      const stopWatching = watchWanted(work, () => source.close());
      try {
        return { ok: true as const, ...(await makePlaceholder(shop, order, source.stream, wantedTurn)) };
      } finally {
        stopWatching();
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

/** Does one piece of work in the isolate's memories, or answers why it is not done. */
async function inWorkshop<Done>(
  order: Pick<BuildOrder, "facts" | "sourceBytes" | "peakBytes">,
  master: ReadableStream<Uint8Array>,
  work: (shop: Workshop, source: Source) => Promise<Done>,
): Promise<Done | NotDone> {
  const release = ledger.book(order.peakBytes);
  if (!release) {
    await master.cancel().catch(() => undefined);
    return BUSY;
  }
  const source = openSource(master, order.sourceBytes, { buffers });
  try {
    workshop ??= new Workshop();
    return await work(workshop, source);
  } catch (error) {
    if (source.lost) throw source.lost;
    if (error instanceof SourceLost) throw error;
    return { ok: false, code: "failed", reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await source.close();
    buffers.wipe();
    release();
  }
}

function answer(order: BuildOrder, { pieces, byteLength, peakBytes }: Built, send: Send): BuildAnswer {
  const { width, height } = order.spec;
  return { ok: true, byteLength, body: send(pieces, byteLength), facts: { width, height, peakBytes } };
}

/** The pieces in order, each let go of once it was taken. */
function streamOf(pieces: Uint8Array<ArrayBuffer>[]): ReadableStream<Uint8Array> {
  const rest = [...pieces].reverse();
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = rest.pop();
        if (piece) controller.enqueue(piece);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
