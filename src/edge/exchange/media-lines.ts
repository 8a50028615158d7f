/** Writes media as lines. Pure. */
import { sharesOf, storedFocalPoint } from "../../image/geometry/focal-point.ts";
import { FORMATS } from "../../image/formats/registry.ts";
import type { MasterFacts } from "../../image/model/facts.ts";
import type { MediaFacts } from "../../exchange/lines.ts";
import type { MediaWithMaster } from "../storage/media/media.ts";
import { authorsOf, iso } from "./record-lines.ts";

const sortedByCode = (alts: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(JSON.parse(alts) as Record<string, string>)
      .filter(([, alt]) => alt !== "")
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

export function mediaFacts({ media, master }: MediaWithMaster): MediaFacts {
  const point = storedFocalPoint(media.focalX, media.focalY);
  const alts = media.alts === null ? {} : sortedByCode(media.alts);
  return {
    id: media.id,
    filename: media.filename,
    alt: media.alt,
    ...(Object.keys(alts).length > 0 && { alts }),
    focalPoint: point && sharesOf(point),
    masterVersion: media.masterVersion,
    lastVersion: media.lastVersion,
    mime: FORMATS[(JSON.parse(master.facts) as MasterFacts).format].mime,
    sizeBytes: master.sizeBytes,
    sha256: master.sha256,
    createdAt: iso(media.createdAt),
    updatedAt: iso(media.updatedAt),
    ...authorsOf(media),
  };
}
