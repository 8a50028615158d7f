/** Reads a tar archive, in gzip or not, entry by entry. */
import { createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { extract } from "tar-stream";
import { Failure } from "../../base/failure.ts";
import { FILE_MAX_BYTES } from "./file-max.ts";
import { openExport } from "./open.ts";

export interface ArchiveEntry {
  /** The path in the archive, with `/`, without a leading `./`. */
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Yields the files of an archive, each of which must be read before the next one.
 * @param progress is told how many bytes of the archive were read
 */
export async function* entriesOf(
  path: string,
  progress?: (bytes: number) => void,
): AsyncIterable<ArchiveEntry> {
  const archive = extract();
  const source = await openExport(path, progress);
  source.on("error", (error) => archive.destroy(error));
  source.pipe(archive);
  try {
    for await (const entry of archive) {
      const { name, type } = entry.header;
      if (type === "file" || type === "contiguous-file") {
        yield {
          name: name.replace(/^\.\//, "").replaceAll("\\", "/"),
          bytes: entry as AsyncIterable<Uint8Array>,
        };
      }
      entry.resume();
    }
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    if (!/unexpected end|premature|invalid|incorrect|checksum|closed/i.test(message)) throw cause;
    const next = "Export it again, and look whether it was copied whole.";
    throw new Failure(`The archive ends in the middle, or is damaged (${message}).`, { next, cause });
  } finally {
    source.destroy();
  }
}

/**
 * Writes a file of an archive beside the import. A file that is there is whole: it gets its name when it is written. Of one
 * that is larger than any that the service takes, the first bytes alone are written, which is enough to call it too large.
 */
export async function unpack({ bytes }: ArchiveEntry, path: string): Promise<void> {
  const partial = `${path}.part`;
  await pipeline(upTo(bytes, FILE_MAX_BYTES + 1), createWriteStream(partial));
  await rename(partial, path);
}

async function* upTo(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let left = most;
  for await (const chunk of bytes) {
    // The rest is read, since the next entry of the archive stands behind it.
    if (left > 0) yield chunk.subarray(0, left);
    left -= chunk.length;
  }
}
