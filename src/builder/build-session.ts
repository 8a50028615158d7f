/** What one piece of work has to itself: the isolate's memories, a booking, and its master. */
import type { BuildFailure, BuildOrder, ReadRange } from "../image/protocol/build.ts";
import { type Booking, Ledger } from "./memory/memory-budget.ts";
import { openSource, ReadBuffers, type Source, SourceLost } from "./streams/source.ts";
import { Workshop } from "./memory/build-memory.ts";

/** An isolate is one thread and has one of each, however many rooms share it. */
const ledger = new Ledger();
let workshop: Workshop | null = null;
const buffers = new ReadBuffers();

export class Work {
  readonly shop: Workshop;
  readonly source: Source;
  readonly booking: Booking;
  #isOver = false;

  private constructor(booking: Booking, source: Source) {
    this.booking = booking;
    this.source = source;
    this.shop = workshop ??= new Workshop();
    this.shop.budgetBytes = booking.budgetBytes;
  }

  /**
   * Null when there is no room, with nothing of the master read. Books without a turn of the event loop: what comes
   * first has the room.
   */
  static async begin(
    order: Pick<BuildOrder, "sourceBytes" | "peakBytes">,
    master: ReadableStream<Uint8Array>,
    readRange: ReadRange | undefined,
  ): Promise<Work | null> {
    const booking = ledger.book(order.peakBytes);
    if (booking) return new Work(booking, openSource(master, order.sourceBytes, { buffers, readRange }));
    readRange?.[Symbol.dispose]?.();
    await master.cancel().catch(() => undefined);
    return null;
  }

  /**
   * What work that has thrown comes to. To be asked before `end`.
   * @throws SourceLost when the master did not arrive whole
   */
  failed(error: unknown): BuildFailure {
    if (this.source.lost) throw this.source.lost;
    if (error instanceof SourceLost) throw error;
    return { ok: false, code: "failed", reason: error instanceof Error ? error.message : String(error) };
  }

  /** Leaves nothing of the master behind, then lets others work. `heldBytes` stay booked until they are released. */
  async end(heldBytes = 0): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.source.close();
    buffers.wipe();
    this.booking.finish(heldBytes);
  }
}
