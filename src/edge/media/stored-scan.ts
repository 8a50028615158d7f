/**
 * Checks a stored JPEG without EOI: only the number of coded blocks tells a file that lost its last two bytes from one
 * that was cut off. The scan is read again from R2, piece by piece, with a turn of the isolate for each.
 */
import type { PostponedScan } from "../../image/formats/probe.ts";
import { TRANSFORM, UPLOAD } from "../../limits.ts";
import { workTurns } from "../spaces/work-turns.ts";

interface StoredFile {
  key: string;
  spaceId: string;
  sizeBytes: number;
}

/** @throws InvalidImageError if the scan is cut off, or the file is larger than any that variants are made of */
export async function checkStoredScan(
  bucket: R2Bucket,
  { key, spaceId, sizeBytes }: StoredFile,
  { dataAt, counter, refusal }: PostponedScan,
): Promise<void> {
  if (sizeBytes > TRANSFORM.sourceMaxBytes) throw refusal;
  for (let at = dataAt; at < sizeBytes && !counter.isDecided; at += UPLOAD.scanPieceBytes) {
    const length = Math.min(UPLOAD.scanPieceBytes, sizeBytes - at);
    const piece = await bucket.get(key, { range: { offset: at, length } });
    if (!piece) throw new Error(`The file ${key} has vanished while it was checked.`);
    const bytes = new Uint8Array(await piece.arrayBuffer());
    await workTurns.take(spaceId);
    counter.push(bytes);
    workTurns.note(spaceId, bytes.length * UPLOAD.scanUnitsPerByte);
  }
  if (!counter.finish()) throw refusal;
}
