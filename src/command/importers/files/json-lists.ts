/**
 * Reads the lists of one large JSON object, such as `{"entries": [...], "assets": [...]}`, item by item. The memory it
 * takes is that of the largest item, whatever the size of the file.
 */
import { Failure } from "../../base/failure.ts";

export interface ListedItem {
  /** The name of the list. */
  list: string;
  value: unknown;
}

const CODE = {
  quote: 0x22,
  backslash: 0x5c,
  open: 0x7b,
  close: 0x7d,
  openList: 0x5b,
  closeList: 0x5d,
} as const;
const COMMA = 0x2c;
const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** A scanner of JSON that knows how deep it is and where a value begins, and nothing else of it. */
class Scanner {
  #depth = 0;
  #isText = false;
  #isEscaped = false;
  #list = "";
  /** Whether the value of the member that is being read is a list. */
  #isList = false;
  /** The bytes of the name or of the item that is being read; null between them. */
  #parts: Buffer[] | null = null;

  /** Yields the items that end in a chunk. */
  *feed(chunk: Buffer): Iterable<ListedItem> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#isText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === CODE.backslash) this.#isEscaped = true;
        else if (byte === CODE.quote) {
          this.#isText = false;
          if (this.#depth === 1 && this.#parts) {
            this.#list = String(this.#take(chunk.subarray(from, at + 1)));
          }
        }
        continue;
      }
      const isEnd = byte === CODE.closeList || byte === CODE.close;
      const endsItem = this.#depth === 2 && this.#parts !== null && (byte === COMMA || isEnd);
      if (endsItem) yield { list: this.#list, value: this.#take(chunk.subarray(from, at)) };
      const begins = this.#parts === null && !isSpace(byte) && byte !== COMMA && !isEnd;
      if (begins && ((this.#depth === 2 && this.#isList) || (this.#depth === 1 && byte === CODE.quote))) {
        this.#parts = [];
        from = at;
      }
      if (byte === CODE.quote) this.#isText = true;
      else if (byte === CODE.open || byte === CODE.openList) {
        if (this.#depth === 1) this.#isList = byte === CODE.openList;
        this.#depth += 1;
      } else if (isEnd) this.#depth -= 1;
    }
    this.#parts?.push(chunk.subarray(from));
  }

  #take(last: Buffer): unknown {
    const text = Buffer.concat([...this.#parts!, last]).toString("utf8");
    this.#parts = null;
    return JSON.parse(text) as unknown;
  }

  get isWhole(): boolean {
    return this.#depth === 0 && !this.#isText;
  }
}

/** Yields the items of all lists, in the order of the file. Members of the object that are no lists are left out. */
export async function* listedItems(
  stream: AsyncIterable<Uint8Array>,
  name: string,
): AsyncIterable<ListedItem> {
  const scanner = new Scanner();
  try {
    for await (const chunk of stream) {
      yield* scanner.feed(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    }
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new Failure(`${name} is no JSON: ${cause.message}.`, { cause });
  }
  if (!scanner.isWhole) {
    throw new Failure(`${name} ends in the middle of its JSON.`, { next: "Export it again." });
  }
}
