/** Writes pages of an export: as many lines as one page may have, then one that says where the next page begins. */
import type { EndLine } from "../../exchange/lines.ts";
import { EXCHANGE } from "../../limits.ts";
import { linesFrom } from "./export.ts";
import { START, type ExportSource, type Place } from "./lines/place.ts";

/** A page in the making. */
export interface PageSource extends ExportSource {
  from: Place;
  /** Returns the cursor of a place. */
  cursorOf: (place: Place) => Promise<string>;
  /** Returns the ids that were written since the export began. */
  changed: () => Promise<string[]>;
  /** Whether there are queries left. A page ends where there are none, but has at least one line. */
  goesOn: () => boolean;
}

/** Bytes that the last line may take in every page: its cursor has at most 8,000 characters. */
const END_BYTES = 16_384;
/** Bytes that are sent together. */
const CHUNK_BYTES = 65_536;

const END: Place = { ...START, step: "end" };

const encoder = new TextEncoder();
const encoded = (text: string): Uint8Array => encoder.encode(`${text}\n`);

/** Yields the lines of a page, each as the bytes that are sent. */
export async function* pageLines(source: PageSource): AsyncGenerator<Uint8Array> {
  const { from, cursorOf, changed, goesOn } = source;
  let [lines, bytes, place] = [0, 0, from];
  const end = (line: Omit<EndLine, "kind">): Uint8Array => encoded(JSON.stringify({ kind: "end", ...line }));
  for await (const next of linesFrom(source, from)) {
    const line = encoded(next.text);
    const isFull =
      lines + 1 >= EXCHANGE.pageMaxLines || bytes + line.byteLength + END_BYTES > EXCHANGE.pageMaxBytes;
    if ((isFull || !goesOn()) && lines > 0) {
      yield end({ nextCursor: await cursorOf(place) });
      return;
    }
    yield line;
    lines += 1;
    bytes += line.byteLength;
    place = next.place;
  }
  const last = end({ nextCursor: null, changed: await changed() });
  // A page that has no room for the ids leaves them to a page of their own.
  if (lines > 0 && bytes + last.byteLength > EXCHANGE.pageMaxBytes)
    yield end({ nextCursor: await cursorOf(END) });
  else yield last;
}

/** Streams a page. The lines are read as fast as the client takes them. */
export function pageStream(source: PageSource): ReadableStream<Uint8Array> {
  const lines = pageLines(source);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk: Uint8Array[] = [];
        let [bytes, isDone] = [0, false];
        while (bytes < CHUNK_BYTES && !isDone) {
          const next = await lines.next();
          if (next.done) isDone = true;
          else {
            chunk.push(next.value);
            bytes += next.value.byteLength;
          }
        }
        if (bytes > 0) controller.enqueue(joined(chunk, bytes));
        if (isDone) controller.close();
      },
      async cancel() {
        await lines.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Returns chunks as one array of `bytes` bytes. */
export function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const whole = new Uint8Array(bytes);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
