/**
 * Stores a file from a stream in R2. It is probed, hashed and counted while it passes, and never held whole. A drawing
 * is the exception: it is collected, sanitised, and stored as the sanitiser wrote it (RULES 6.4). A file that is
 * refused leaves nothing behind. The sweep removes what a crash leaves.
 */
import { ApiError } from "../../errors.ts";
import {
  createProbe,
  InvalidImageError,
  SvgRejectedError,
  UnsupportedMediaError,
  type Probe,
} from "../../image/formats/probe.ts";
import type { Work } from "../../image/formats/svg/work/work.ts";
import { MIME_OF, type MasterFacts } from "../../image/model/facts.ts";
import { masterFile, masterKey, type MasterAddress } from "../../image/model/variant.ts";
import { CACHE, megabytes, UPLOAD } from "../../limits.ts";
import { hex } from "../spaces/secrets.ts";
import { drawingWork } from "../spaces/work-budget.ts";
import { MasterWriter, type WriterStore } from "../storage/media/master-writer.ts";
import { Unzipped } from "./svgz.ts";
import { uploadMemory, type UploadReservation } from "./upload-memory.ts";

export interface ReceivedMaster {
  facts: MasterFacts;
  sizeBytes: number;
  sha256: string;
  /** Last segment of the R2 key. */
  file: string;
}

const tooLarge = (): ApiError =>
  new ApiError("PAYLOAD_TOO_LARGE", `A file may have at most ${megabytes(UPLOAD.maxBytes)}.`);

/** The probe's errors as API errors. */
function asApiError(error: unknown): unknown {
  if (error instanceof UnsupportedMediaError) return new ApiError("UNSUPPORTED_MEDIA", error.message);
  if (error instanceof InvalidImageError) return new ApiError("INVALID_IMAGE", error.message);
  if (error instanceof SvgRejectedError) return new ApiError("SVG_REJECTED", error.message);
  return error;
}

/**
 * Stores the master's bytes. No row points at them yet: the caller writes it next.
 * @throws ApiError UNSUPPORTED_MEDIA, INVALID_IMAGE, SVG_REJECTED, PAYLOAD_TOO_LARGE, INVALID_UPLOAD (the stream broke
 * off), REQUEST_TOO_SLOW, UNAVAILABLE (too many uploads at once), RATE_LIMITED (too much work with drawings)
 */
export async function receiveMaster(
  body: AsyncIterable<Uint8Array>,
  address: MasterAddress,
  store: WriterStore,
): Promise<ReceivedMaster> {
  let memory: UploadReservation;
  try {
    memory = await uploadMemory.reserve(address.spaceId, UPLOAD.memoryBytes);
  } catch (error) {
    await body[Symbol.asyncIterator]().return?.();
    throw error;
  }
  try {
    return await receive(body, address, store, memory);
  } finally {
    memory.end();
  }
}

async function receive(
  body: AsyncIterable<Uint8Array>,
  address: MasterAddress,
  store: WriterStore,
  memory: UploadReservation,
): Promise<ReceivedMaster> {
  const drawing: { work?: Work } = {};
  const probe = createProbe((work) => {
    drawingWork.reserve(address.spaceId, work.max, Date.now());
    drawing.work = work;
  });
  const digest = new crypto.DigestStream("SHA-256");
  // It rejects when the file is refused. Nobody waits for it then.
  digest.digest.catch(() => undefined);
  const hash = digest.getWriter();
  const writer = new MasterWriter(store, {
    cacheControl: `public, max-age=${CACHE.variantSeconds}, immutable`,
  });
  let sizeBytes = 0;
  const keep = async (chunk: Uint8Array): Promise<void> => {
    sizeBytes += chunk.byteLength;
    await Promise.all([hash.write(chunk), writer.write(chunk, () => target(probe, address))]);
  };
  /** The bytes that came before the kind was known: a few KB. */
  let held: Uint8Array[] = [];
  try {
    const file = new Unzipped(counted(readable(body)));
    for await (const chunk of file) {
      memory.sign();
      probe.push(chunk);
      if (probe.format === null) held.push(chunk);
      else if (probe.format !== "svg") {
        if (file.wasCompressed) throw new UnsupportedMediaError("the file is a picture compressed with gzip");
        for (const earlier of held.splice(0)) await keep(earlier);
        await keep(chunk);
      }
    }
    const facts = probe.finish();
    if (probe.document !== null) held = [new TextEncoder().encode(probe.document)];
    for (const chunk of held) await keep(chunk);
    const [sha256] = await Promise.all([finishHash(digest, hash), writer.finish(target(probe, address))]);
    return { facts, sizeBytes, sha256, file: masterFile(facts.format) };
  } catch (error) {
    await Promise.allSettled([hash.abort(error), writer.abort()]);
    throw asApiError(error);
  } finally {
    const { work } = drawing;
    if (work) drawingWork.giveBack(address.spaceId, work.max - work.spent, Date.now());
  }
}

async function finishHash(digest: DigestStream, writer: WritableStreamDefaultWriter): Promise<string> {
  await writer.close();
  return hex(await digest.digest);
}

/** Key and type of the object. They are known once the first bytes have shown the kind. */
function target(probe: Probe, address: MasterAddress): { key: string; contentType: string } {
  const format = probe.format;
  if (!format) throw new InvalidImageError("the file ends before its kind can be told");
  return { key: masterKey(address, masterFile(format)), contentType: MIME_OF[format] };
}

/** @throws ApiError PAYLOAD_TOO_LARGE, by the bytes that were received, before they are decompressed */
async function* counted(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > UPLOAD.maxBytes) throw tooLarge();
    yield chunk;
  }
}

/** A client that breaks off an upload is not a fault of ours. */
async function* readable(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw new ApiError("INVALID_UPLOAD", "The upload broke off before its end. Send the file again.", {
      cause,
    });
  }
}
