/** Writes what a change needs before it is made, slice by slice: published contents, and index rows of new fields. */
import { advance, forgetModelChange } from "../../../storage/models/background-changes.ts";
import { forgetPublishing } from "../../../storage/models/background-slices.ts";
import {
  indexRange,
  keepReserved,
  rangeToIndex,
  reserveFields,
} from "../../../storage/models/change-fields.ts";
import { isInRange, nextIndexedRange } from "../../../storage/models/record-slices.ts";
import { publishRecords } from "../../../storage/models/switch-drafts.ts";
import { numbered } from "../1-compare-fields.ts";
import type { StoredRequest } from "../3-plan-change.ts";
import { endPhase, passed, phaseAfter, storedRequest, type Work } from "./work.ts";

/** Publishes the next records, for a model that gets drafts. */
export async function publishRange(work: Work): Promise<void> {
  const { db, change, model, now } = work;
  const range = await nextIndexedRange(db, model.id, change.afterId);
  if (!range) {
    await advance(db, change, endPhase(work, phaseAfter(work, change.phase)), []);
    return;
  }
  await advance(db, change, passed(work, range), [
    ...publishRecords(model, isInRange(range), now),
    forgetPublishing(model.id),
  ]);
}

/** Reserves the numbers of the new fields, then writes their index rows for the next records. */
export async function indexSlice(work: Work): Promise<void> {
  const { db, change, model, added, reserved, now } = work;
  if (!reserved) {
    const firstNo = await reserveFields(db, model, added.length, now);
    if (firstNo === null) return forgetModelChange(db, change);
    // If another run has reserved numbers too, one of both is used. The sweep forgets the others after a day.
    const noted = { ...storedRequest(change), reserved: numbered(added, firstNo) } satisfies StoredRequest;
    await advance(db, change, { ...change, asked: JSON.stringify(noted) }, []);
    return;
  }
  const range = await rangeToIndex(db, model, reserved, change.afterId);
  const to = range ? passed(work, range) : endPhase(work, phaseAfter(work, change.phase));
  await advance(db, change, to, [
    ...keepReserved(model, reserved, now),
    ...(range ? indexRange(model, reserved, range) : []),
  ]);
}
