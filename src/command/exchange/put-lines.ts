/** Puts lines and files into a space: of an export, a backup or an importer. A second run changes nothing. */
import type { ImportLine, ImportSource, MediaFacts, RefusedLine } from "../../exchange/lines.ts";
import { releaseMemory, REQUEST_BYTES } from "../base/memory.ts";
import type { Service } from "../service/service.ts";
import { sendLines } from "./send-lines.ts";
import { sideBySide } from "./side-by-side.ts";

const LINES_MAX = 1000;
const BYTES_MAX = 7_000_000;
const UPLOADS_MAX = 4;

export interface PutResult {
  imported: number;
  unchanged: number;
  /** Lines that were not taken, counted from 1 in the whole source. */
  refused: RefusedLine[];
  /** Media whose files could not be read, or were refused by the service. */
  missing: { id: string; reason: string }[];
}

export interface PutOptions {
  isOverwriting?: boolean;
  /** Is told how many lines are sent. */
  onProgress?: (lines: number) => void;
}

/** A line on its way, with its number in the source. */
interface Sent {
  n: number;
  text: string;
  media: MediaFacts | null;
}

export async function sha256OfBlob(blob: Blob): Promise<string> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  for await (const chunk of blob.stream() as unknown as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest("hex");
}

const mediaOf = (line: ImportLine): MediaFacts | null =>
  line.kind === "media" || (line.kind === "trash" && "of" in line && line.of === "media") ? line : null;

const headerOf = (sha256: string): string => `sha-256=:${Buffer.from(sha256, "hex").toString("base64")}:`;

/**
 * Sends the lines of a source, and the files that they wait for. A media line without a `sha256` gets it from its file.
 * @throws Failure when the service refuses a request as a whole
 */
export async function putLines(
  service: Service,
  source: ImportSource,
  { isOverwriting = false, onProgress }: PutOptions = {},
): Promise<PutResult> {
  const done: PutResult = { imported: 0, unchanged: 0, refused: [], missing: [] };
  let part: Sent[] = [];
  let bytes = 0;
  let n = 0;
  const flush = async (): Promise<void> => {
    await sendPart(service, source, part, isOverwriting, done);
    onProgress?.(part.length);
    part = [];
    bytes = 0;
  };
  for await (const given of source.lines()) {
    n += 1;
    const line = await withDigest(source, given, done);
    if (!line) continue;
    const text = JSON.stringify(line);
    const size = Buffer.byteLength(text) + 1;
    if (part.length > 0 && (part.length >= LINES_MAX || bytes + size > BYTES_MAX)) await flush();
    part.push({ n, text, media: mediaOf(line) });
    bytes += size;
  }
  if (part.length > 0) await flush();
  return done;
}

/** Returns a media line with the digest of its file; null if its file cannot be read. */
async function withDigest(
  source: ImportSource,
  line: ImportLine,
  done: PutResult,
): Promise<ImportLine | null> {
  const media = mediaOf(line);
  if (!media || media.sha256 !== "") return line;
  const file = await source.file(media).catch(() => null);
  if (!file) {
    done.missing.push({ id: media.id, reason: "the file cannot be had" });
    return null;
  }
  return { ...line, sha256: await sha256OfBlob(file), sizeBytes: file.size } as ImportLine;
}

async function sendPart(
  service: Service,
  source: ImportSource,
  part: readonly Sent[],
  isOverwriting: boolean,
  done: PutResult,
): Promise<void> {
  const byId = new Map(part.flatMap(({ media }) => (media ? [[media.id, media]] : [])));
  const texts = part.map(({ text }) => text);
  for await (const { imported, unchanged, refused, waiting } of sendLines(service, texts, isOverwriting)) {
    done.imported += imported;
    done.unchanged += unchanged;
    for (const one of refused) done.refused.push({ ...one, line: part[one.line - 1]?.n ?? one.line });
    await sideBySide(waiting, UPLOADS_MAX, async ({ id, sha256 }) => {
      const media = byId.get(id);
      if (media) await sendFile(service, source, media, sha256, done);
    });
  }
}

async function sendFile(
  service: Service,
  source: ImportSource,
  media: MediaFacts,
  sha256: string,
  done: PutResult,
): Promise<void> {
  try {
    const file = await source.file(media);
    if (!file) throw new Error("the file cannot be had");
    await service.request("PUT", `/media/${media.id}/file`, {
      body: file,
      headers: {
        "Content-Type": media.mime || "application/octet-stream",
        "Content-Digest": headerOf(sha256),
      },
    });
  } catch (error) {
    done.missing.push({ id: media.id, reason: error instanceof Error ? error.message : String(error) });
  } finally {
    await source.release?.(media);
    releaseMemory(REQUEST_BYTES + media.sizeBytes);
  }
}
