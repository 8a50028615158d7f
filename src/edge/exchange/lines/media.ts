/** The lines of media, and of those in the trash. */
import { EXCHANGE } from "../../../limits.ts";
import type { MediaFacts } from "../../../exchange/lines.ts";
import { mediaAfter, trashedMediaAfter } from "../../storage/exchange/read.ts";
import type { MediaWithMaster } from "../../storage/media/media.ts";
import { mediaFacts } from "../media-lines.ts";
import { iso } from "../record-lines.ts";
import type { ExportSource, Lines, Place } from "./place.ts";

export async function* mediaLines({ db, space }: ExportSource, place: Place): Lines {
  for (let after = place.id; ;) {
    const found = await mediaAfter(db, space.id, after);
    for (const row of found) {
      after = row.media.id;
      yield {
        text: JSON.stringify({ kind: "media", ...mediaFacts(row) }),
        place: { ...place, id: after },
      };
    }
    if (found.length < EXCHANGE.mediaPerRead) return;
  }
}

const trashLine = (facts: MediaFacts, { media }: MediaWithMaster): string =>
  JSON.stringify({
    kind: "trash",
    of: "media",
    ...facts,
    deletedAt: iso(media.deletedAt ?? 0),
    expiresAt: iso(media.purgeAt ?? 0),
  });

export async function* trashedMediaLines({ db, space }: ExportSource, place: Place): Lines {
  for (let after = { deletedAt: place.at, id: place.id }; ;) {
    const found = await trashedMediaAfter(db, space.id, after);
    for (const row of found) {
      after = { deletedAt: row.media.deletedAt ?? 0, id: row.media.id };
      yield {
        text: trashLine(mediaFacts(row), row),
        place: { ...place, at: after.deletedAt, id: after.id },
      };
    }
    if (found.length < EXCHANGE.mediaPerRead) return;
  }
}
