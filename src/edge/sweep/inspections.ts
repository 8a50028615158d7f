/** The sweep's step that reads what masters from before state beside their pixels (RULES 9.9, 9.10). */
import { Inspection } from "../../image/formats/inspection.ts";
import type { InspectedFacts, MasterFacts } from "../../image/model/facts.ts";
import { INSPECTION } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import {
  claimUninspected,
  type Inspected,
  settleInspections,
  type UninspectedMaster,
} from "../storage/media/inspections.ts";
import type { GoesOn } from "./budget.ts";

export interface InspectionTools {
  db: Database;
  bucket: R2Bucket;
  log: (event: Record<string, unknown>) => void;
  goesOn: GoesOn;
}

/** Inspects masters, until the step has read as much as it may. @returns how many */
export async function inspectMasters({ db, bucket, log, goesOn }: InspectionTools): Promise<number> {
  let inspected = 0;
  let bytes = 0;
  while (bytes < INSPECTION.bytesPerRunMax && inspected < INSPECTION.mastersPerRunMax && goesOn()) {
    const masters = await claimUninspected(db, INSPECTION.mastersPerBatch);
    if (masters.length === 0) break;
    const done: Inspected[] = [];
    for (const master of masters) {
      try {
        const { found, readBytes } = await inspect(bucket, master);
        bytes += readBytes;
        const { spaceId, mediaId, version } = master;
        done.push({ spaceId, mediaId, version, found });
      } catch (error) {
        // It is tried again in a later run.
        log({ event: "inspection-failed", mediaId: master.mediaId, reason: String(error) });
      }
    }
    await settleInspections(db, done);
    inspected += done.length;
    if (done.length < masters.length) break;
  }
  return inspected;
}

/** Reads a master as far as its statements may stand. @throws what R2 throws */
async function inspect(
  bucket: R2Bucket,
  { key, facts: json, tries }: UninspectedMaster,
): Promise<{ found: InspectedFacts; readBytes: number }> {
  const facts = JSON.parse(json) as MasterFacts;
  const object = tries > INSPECTION.triesMax ? null : await bucket.get(key);
  if (!object) return { found: {}, readBytes: 0 };
  const inspection = new Inspection(facts.format);
  const reader = (object.body as ReadableStream<Uint8Array>).getReader();
  let readBytes = 0;
  try {
    while (!inspection.isDone) {
      const { done, value } = await reader.read();
      if (done) break;
      readBytes += value.byteLength;
      inspection.push(value);
    }
  } finally {
    await reader.cancel();
  }
  return { found: inspection.finish(facts), readBytes };
}
