/** The media object as clients see it (RULES 4.2). */
import { heightAt } from "../../image/geometry/grid.ts";
import { FORMATS } from "../../image/formats/registry.ts";
import { licensorText } from "../../image/model/copyright.ts";
import type { MasterFacts } from "../../image/model/facts.ts";
import { sharesOf, storedFocalPoint } from "../../image/geometry/focal-point.ts";
import type { Placeholder } from "../../image/protocol/placeholder.ts";
import { masterKey } from "../../image/model/variant.ts";
import { PRESET_WIDTH_PIXELS } from "../../limits.ts";
import type { Space } from "../spaces/authorize.ts";
import { actorIn } from "../storage/events/actor.ts";
import type { MasterRow } from "../storage/media/master-versions.ts";
import type { MediaRow } from "../storage/media/media.ts";
import { altTextsIn, type AltTexts } from "../storage/media/media-facts.ts";
import { defaultCode } from "../../content/locales/locales.ts";
import { codesSeen, isAll, type LocaleScope } from "../../content/model/localized-model.ts";

export interface MediaBases {
  /** `https://host`, of the API. */
  publicBase: string;
  /** Where immutable files are served from. */
  cdnBase: string;
  /** The locale whose alt texts are shown, or all; absent for the default. */
  scope?: LocaleScope | null | undefined;
  /** Whether the answer names the actors (RULES 14.6). */
  showsActors?: boolean | undefined;
}

export interface PresetFormat {
  /** Redirects to the picture. */
  url: string;
  /** Answers with the picture itself, in the best format that the client takes. */
  directUrl: string;
  width: number;
  height: number;
}

export type PresetName = keyof typeof PRESET_WIDTH_PIXELS;

/** Returns the quality in preset links: the setting, or 100 with compression off (RULES 2.2). */
const presetQuality = (space: Space): number => (space.compression ? space.quality : 100);

const pictureUrl = (space: Space, id: string, { publicBase }: MediaBases): string =>
  `${publicBase}/api/v1/${space.name}/pictures/${id}`;

/** Returns a direct address. It names the master version, so that its answers are immutable (RULES 7.7). */
const directUrl = (space: Space, id: string, version: number, bases: MediaBases, query = ""): string =>
  `${pictureUrl(space, id, bases)}/file?${query}v=${version}`;

function presets(
  space: Space,
  id: string,
  version: number,
  facts: MasterFacts,
  bases: MediaBases,
): Record<string, PresetFormat> {
  return Object.fromEntries(
    Object.entries(PRESET_WIDTH_PIXELS).map(([name, requested]) => {
      const width = Math.min(requested, facts.width);
      const sized = `w=${requested}&q=${presetQuality(space)}`;
      const preset = {
        url: `${pictureUrl(space, id, bases)}?${sized}`,
        directUrl: directUrl(space, id, version, bases, `${sized}&auto=format&`),
        width,
        height: heightAt(width, facts),
      };
      return [name, preset];
    }),
  );
}

/** Shares of width and height; null when there is none. */
function shownFocalPoint(x: number | null, y: number | null): { x: number; y: number } | null {
  const point = storedFocalPoint(x, y);
  return point && sharesOf(point);
}

/** Returns the placeholder. Null until it is known, and always when the master cannot be decoded. */
const placeholderOf = ({ thumbHash, dominantColor }: MasterRow): Placeholder | null =>
  thumbHash !== null && dominantColor !== null ? { thumbHash, dominantColor } : null;

/** Returns what the master states about the rights in it; null if it states nothing, and until it was inspected. */
const copyrightOf = ({ copyright }: MasterFacts): object | null =>
  copyright ? { ...copyright, licensor: licensorText(copyright.licensor) } : null;

/**
 * Returns the alt text of an item in a locale, by default in the space's default; in `all`, the texts by code. A text is
 * empty where none was written.
 */
function altIn({ alt, alts }: MediaRow, scope: LocaleScope | null | undefined): string | AltTexts {
  if (!scope) return alt;
  const texts = altTextsIn(alts);
  const textIn = (code: string): string =>
    code === defaultCode(scope.locales) ? alt : Object.hasOwn(texts, code) ? (texts[code] ?? "") : "";
  if (!isAll(scope)) return textIn(scope.code);
  return Object.fromEntries(codesSeen(scope).map((code) => [code, textIn(code)]));
}

/** Returns a media item as the API shows it. `formats` is absent with adaptive loading off (RULES 4.2). */
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
    directUrl: directUrl(space, row.id, master.version, bases),
    filename: row.filename,
    alt: altIn(row, bases.scope),
    mime: FORMATS[facts.format].mime,
    size: master.sizeBytes,
    width: facts.width,
    height: facts.height,
    frames: facts.frames,
    animated: facts.animated,
    hasAlpha: facts.hasAlpha,
    masterVersion: master.version,
    focalPoint: shownFocalPoint(row.focalX, row.focalY),
    focalPointSuggested: space.suggestFocalPoint
      ? shownFocalPoint(master.suggestedFocalX, master.suggestedFocalY)
      : null,
    placeholder: placeholderOf(master),
    copyright: copyrightOf(facts),
    ...(master.missingAt !== null && { missing: true }),
    ...(space.adaptiveLoading && { formats: presets(space, row.id, master.version, facts, bases) }),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    ...(bases.showsActors && { createdBy: actorIn(row.createdBy), updatedBy: actorIn(row.updatedBy) }),
  };
}
