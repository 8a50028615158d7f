/** The media object as clients see it (interface §2.2, completion §4). */
import type { masters, media } from "../../../schema/tables.ts";
import { heightAt } from "../../image/model/grid.ts";
import { MIME_OF, type MasterFacts } from "../../image/model/facts.ts";
import type { Placeholder } from "../../image/plan/plan-placeholder.ts";
import { masterKey } from "../../image/model/variant.ts";
import { PRESET_WIDTH_PIXELS } from "../../limits.ts";
import type { Space } from "../spaces/authorize.ts";

export type MediaRow = typeof media.$inferSelect;
export type MasterRow = typeof masters.$inferSelect;

export interface MediaBases {
  /** `https://host`, of the API. */
  origin: string;
  /** Where immutable files are served from. */
  cdnBase: string;
}

export interface PresetFormat {
  url: string;
  width: number;
  height: number;
}

export type PresetName = keyof typeof PRESET_WIDTH_PIXELS;

/** Quality in preset links: the setting, or 100 with compression off (interface §2.2 rule 5). */
const presetQuality = (space: Space): number => (space.compression ? space.quality : 100);

function presets(
  space: Space,
  id: string,
  facts: MasterFacts,
  { origin }: MediaBases,
): Record<string, PresetFormat> {
  return Object.fromEntries(
    Object.entries(PRESET_WIDTH_PIXELS).map(([name, requested]) => {
      const width = Math.min(requested, facts.width);
      const url = `${origin}/api/v1/${space.name}/pictures/${id}?w=${requested}&q=${presetQuality(space)}`;
      return [name, { url, width, height: heightAt(width, facts) }];
    }),
  );
}

/** Null until it is known, and for good where the master cannot be decoded. */
const placeholderOf = ({ thumbHash, dominantColor }: MasterRow): Placeholder | null =>
  thumbHash !== null && dominantColor !== null ? { thumbHash, dominantColor } : null;

/** `formats` is absent with adaptive loading off (interface §2.2 rule 1). */
export function mediaObject(
  space: Space,
  row: MediaRow,
  master: MasterRow,
  bases: MediaBases,
): Record<string, unknown> {
  const facts = JSON.parse(master.facts) as MasterFacts;
  const address = { spaceId: row.spaceId, mediaId: row.id, version: master.version };
  return {
    id: row.id,
    url: `${bases.cdnBase}/${masterKey(address, master.file)}`,
    filename: row.filename,
    alt: row.alt,
    mime: MIME_OF[facts.format],
    size: master.sizeBytes,
    width: facts.width,
    height: facts.height,
    frames: facts.frames,
    animated: facts.animated,
    hasAlpha: facts.hasAlpha,
    masterVersion: master.version,
    placeholder: placeholderOf(master),
    ...(space.adaptiveLoading && { formats: presets(space, row.id, facts, bases) }),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}
