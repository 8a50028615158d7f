/** Opens the export of another system: as it is, or out of gzip. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline, Transform, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";

const GZIP = Buffer.from([0x1f, 0x8b]);
/** The place of the word "ustar" in the first header of a tar archive. */
const TAR_WORD = { at: 257, text: "ustar" } as const;

async function headOf(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path, "r");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Returns the bytes of a file, out of gzip where they are in it. @param progress is told how many bytes were read */
export async function openExport(path: string, progress?: (bytes: number) => void): Promise<Readable> {
  const head = await headOf(path, GZIP.length);
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress?.(chunk.length);
      done(null, chunk);
    },
  });
  const bytes = createReadStream(path);
  // The consumer sees every error: the pipeline destroys the stream that is returned.
  return head.equals(GZIP)
    ? pipeline(bytes, counter, createGunzip(), () => undefined)
    : pipeline(bytes, counter, () => undefined);
}

/** Returns whether a file is a tar archive, in gzip or not. */
export async function isArchive(path: string): Promise<boolean> {
  const stream = await openExport(path);
  const chunks: Buffer[] = [];
  let length = 0;
  const needed = TAR_WORD.at + TAR_WORD.text.length;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length >= needed) break;
  }
  const head = Buffer.concat(chunks);
  return head.subarray(TAR_WORD.at, needed).toString("latin1") === TAR_WORD.text;
}
