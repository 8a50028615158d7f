/** A finished variant on its way out, by what every platform has. The runtime has better (send.ts). */

/** The time after which a visitor who takes no byte of a variant counts as gone. */
export const ABANDONED_MS = 60_000;

export interface Sending {
  /** Called once: when the last piece was taken, or nobody wants them any more. */
  ended: () => void;
  abandonedMs?: number;
}

/** Returns the pieces in order, each let go of once it was taken. */
export function bodyOf(
  pieces: readonly Uint8Array<ArrayBuffer>[],
  _byteLength: number,
  { ended, abandonedMs = ABANDONED_MS }: Sending,
): ReadableStream<Uint8Array> {
  const rest = [...pieces].reverse();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const end = (): void => {
    if (timer !== undefined) clearTimeout(timer);
    rest.length = 0;
    if (!isOver) ended();
    isOver = true;
  };
  const expectReader = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (timer !== undefined) clearTimeout(timer);
    timer = setTimeout(() => {
      end();
      controller.error(new Error(`nobody took the variant for ${abandonedMs} ms`));
    }, abandonedMs);
  };
  return new ReadableStream<Uint8Array>(
    {
      start: expectReader,
      pull(controller) {
        expectReader(controller);
        const piece = rest.pop();
        if (piece) controller.enqueue(piece);
        if (rest.length > 0) return;
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
