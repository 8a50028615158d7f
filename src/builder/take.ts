/** From an order to its answer: busy, failed, or the variant. */
import type { BuildAnswer, BuildOrder } from "../image/build.ts";
import { buildVariant, type Built } from "./build.ts";
import { Ledger } from "./ledger.ts";
import { openSource, ReadBuffers, SourceLost } from "./source.ts";
import { Workshop } from "./workshop.ts";

/** An isolate is one thread and has one of each, however many rooms share it. */
const ledger = new Ledger();
let workshop: Workshop | null = null;
const buffers = new ReadBuffers();

/**
 * Takes an order, or answers `busy` without having read anything.
 * @throws SourceLost when the master did not arrive whole
 */
export async function take(order: BuildOrder, master: ReadableStream<Uint8Array>): Promise<BuildAnswer> {
  const release = ledger.book(order.peakBytes);
  if (!release) {
    await master.cancel().catch(() => undefined);
    return { ok: false, code: "busy" };
  }
  const source = openSource(master, order.sourceBytes, { buffers });
  try {
    workshop ??= new Workshop();
    return answer(order, await buildVariant(workshop, order, source));
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

function answer(order: BuildOrder, { pieces, byteLength, peakBytes }: Built): BuildAnswer {
  const { width, height } = order.spec;
  return { ok: true, byteLength, body: streamOf(pieces), facts: { width, height, peakBytes } };
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
