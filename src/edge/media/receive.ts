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
  type PostponedScan,
  type Probe,
} from "../../image/formats/probe.ts";
import type { Work } from "../../image/formats/svg/work/work.ts";
import { FORMATS } from "../../image/formats/registry.ts";
import type { MasterFacts } from "../../image/model/facts.ts";
import { masterFile, masterKey, type MasterAddress } from "../../image/model/variant.ts";
import { CACHE, SVG } from "../../limits.ts";
import { hex } from "../spaces/secrets.ts";
import { drawingWork } from "../spaces/work-budget.ts";
import { workTurns } from "../spaces/work-turns.ts";
import { MasterWriter, type WriterStore } from "../storage/media/master-writer.ts";
import { bounded, keepingDrawing, type Incoming } from "./incoming.ts";
import { checkStoredScan } from "./stored-scan.ts";
import { Unzipped } from "./svgz.ts";
import { drawingChecks, memoryOf, uploadMemory, type UploadReservation } from "./upload-memory.ts";

export interface ReceivedMaster {
  facts: MasterFacts;
  sizeBytes: number;
  sha256: string;
  /** The SHA-256 of a drawing as it was sent: the sanitizer stores other bytes. Null for pictures. */
  sentSha256: string | null;
  /** Last segment of the R2 key. */
  file: string;
}

/** Returns the probe's errors as API errors. */
function asApiError(error: unknown): unknown {
  if (error instanceof UnsupportedMediaError) return new ApiError("UNSUPPORTED_MEDIA", error.message);
  if (error instanceof InvalidImageError) return new ApiError("INVALID_IMAGE", error.message);
  if (error instanceof SvgRejectedError) return new ApiError("SVG_REJECTED", error.message);
  return error;
}

/**
 * Stores the master's bytes. No row points at them yet: the caller writes it next.
 * @param reserve reserves the memory for it; without it, the memory of uploads
 * @throws ApiError UNSUPPORTED_MEDIA, INVALID_IMAGE, SVG_REJECTED, PAYLOAD_TOO_LARGE, INVALID_UPLOAD (the stream broke
 * off, or is longer than announced), REQUEST_TOO_SLOW, UNAVAILABLE (too many uploads at once), RATE_LIMITED (too much
 * work with drawings)
 */
export async function receiveMaster(
  incoming: Incoming,
  address: MasterAddress,
  store: WriterStore,
  reserve: () => UploadReservation | Promise<UploadReservation> = () =>
    uploadMemory.reserve(address.spaceId, memoryOf(incoming.announcedBytes ?? null)),
): Promise<ReceivedMaster> {
  const memory = await reserve();
  try {
    return await receive(bounded(incoming), address, store, memory);
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
  const drawing: Drawing = { bytes: 0 };
  const postponed: PostponedScan[] = [];
  const probe = createProbe({
    beginDrawing: (work) => {
      drawing.giveBack = drawingWork.reserve(address.spaceId, work.max, Date.now());
      drawing.work = work;
    },
    postpone: (scan) => postponed.push(scan),
  });
  const digest = new crypto.DigestStream("SHA-256");
  // It rejects when the file is refused. No code waits for it then.
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
  /** The bytes of a drawing as they were sent. */
  const sent: Uint8Array[] = [];
  /** The bytes that came before the kind was known: a few KB. */
  let held: Uint8Array[] = [];
  try {
    const isOfPicture = (): boolean => isPicture(probe);
    // A few bytes may become a large drawing.
    const file = new Unzipped(keepingDrawing(body, sent, isOfPicture), () => memory.grow(memoryOf(null)));
    for await (const chunk of file) {
      memory.sign();
      drawing.bytes += chunk.byteLength;
      probe.push(chunk);
      if (probe.format === null) held.push(chunk);
      else if (!FORMATS[probe.format].isVector) {
        if (file.wasCompressed) throw new UnsupportedMediaError("the file is a picture compressed with gzip");
        for (const earlier of held.splice(0)) await keep(earlier);
        await keep(chunk);
      }
    }
    const { facts, document } = await finishProbe(probe, address, drawing, memory);
    const to = target(probe, address);
    if (document !== null) {
      held = [];
      sizeBytes = document.byteLength;
      await Promise.all([hash.write(document), writer.writeWhole(document, to)]);
    } else {
      for (const chunk of held) await keep(chunk);
      await writer.finish(to);
    }
    const sha256 = await finishHash(digest, hash);
    const stored = { key: to.key, spaceId: address.spaceId, sizeBytes };
    for (const scan of postponed) await checkStoredScan(store.bucket, stored, scan);
    const sentSha256 = isPicture(probe) ? null : await digestOf(sent);
    return { facts, sizeBytes, sha256, sentSha256, file: masterFile(facts.format) };
  } catch (error) {
    await Promise.allSettled([hash.abort(error), writer.abort()]);
    throw asApiError(error);
  } finally {
    const { work, giveBack } = drawing;
    if (work) giveBack?.(work.max - work.spent);
  }
}

/** A drawing that is received. */
interface Drawing {
  bytes: number;
  /** The budget of its checking, from its beginning on. */
  work?: Work;
  /** Gives back units of that budget that were not spent. */
  giveBack?: (units: number) => void;
}

/** Ends the file. A drawing is checked then, and the document that is stored is returned; null for a picture. */
async function finishProbe(
  probe: Probe,
  { spaceId }: MasterAddress,
  drawing: Drawing,
  memory: UploadReservation,
): Promise<{ facts: MasterFacts; document: Uint8Array | null }> {
  // The format of a small drawing is known at its end alone.
  if (probe.format !== null && probe.format !== "svg") return { facts: probe.finish(), document: null };
  // It has arrived. While it waits for its turn, others may arrive in the memory that it does not need.
  memory.shrink(memoryOf(drawing.bytes));
  const place = await drawingChecks.reserve(spaceId, Math.min(drawing.bytes, SVG.maxBytes));
  try {
    const facts = await checkDrawing(probe, spaceId, drawing, () => {
      memory.sign();
      place.sign();
    });
    // The text and its bytes stand beside each other in the memory of the check. The upload's memory is for the bytes.
    const text = probe.takeDocument();
    return { facts, document: text === null ? null : new TextEncoder().encode(text) };
  } finally {
    place.end();
  }
}

/** Checks a drawing in pieces, each of which waits for its turn. @param sign is called after each */
async function checkDrawing(
  probe: Probe,
  spaceId: string,
  drawing: Drawing,
  sign: () => void,
): Promise<MasterFacts> {
  const pieces = probe.finishInPieces();
  /** The units of the pieces that are done; null before the first. */
  let noted: number | null = null;
  for (;;) {
    if (noted === null) await workTurns.take(spaceId);
    else await workTurns.takeNext(spaceId);
    try {
      const piece = pieces.next();
      if (piece.done) return piece.value;
    } finally {
      const spent = drawing.work?.spent ?? 0;
      workTurns.note(spaceId, spent - (noted ?? 0));
      noted = spent;
    }
    sign();
  }
}

async function finishHash(digest: DigestStream, writer: WritableStreamDefaultWriter): Promise<string> {
  await writer.close();
  return hex(await digest.digest);
}

const isPicture = ({ format }: Probe): boolean => format !== null && !FORMATS[format].isVector;

async function digestOf(chunks: readonly Uint8Array[]): Promise<string> {
  const digest = new crypto.DigestStream("SHA-256");
  const writer = digest.getWriter();
  for (const chunk of chunks) await writer.write(chunk);
  return finishHash(digest, writer);
}

/** Returns key and type of the object. They are known once the first bytes have shown the kind. */
function target(probe: Probe, address: MasterAddress): { key: string; contentType: string } {
  const format = probe.format;
  if (!format) throw new InvalidImageError("the file ends before its kind can be told");
  return { key: masterKey(address, masterFile(format)), contentType: FORMATS[format].mime };
}
