/** Makes tar archives in gzip for tests. */
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";

/** Writes files into an archive, in their order. */
export async function writeArchive(
  path: string,
  files: readonly [name: string, content: string | Buffer][],
): Promise<string> {
  const archive = pack();
  for (const [name, content] of files) archive.entry({ name }, content);
  archive.finalize();
  await pipeline(archive, createGzip(), createWriteStream(path));
  return path;
}

export const ndjson = (...values: readonly unknown[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");
