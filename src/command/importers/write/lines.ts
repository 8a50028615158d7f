/** Writes the media and records of a site as lines of an import. Pure. */
import type { LineEdition, MediaLine, PublishedLine, RecordLine } from "../../../exchange/lines.ts";
import type { Json, JsonObject, SiteAsset, SiteEdition, SiteModel, SiteRecord } from "../site.ts";
import type { Gathered } from "./gather.ts";

/** The space that the lines go into. */
export interface Target {
  /** The codes of its locales, the default one first. */
  locales: readonly string[];
  models: ReadonlyMap<string, Pick<SiteModel, "drafts" | "fields">>;
}

export function mediaLine(asset: SiteAsset, file: Gathered, [defaultCode]: Target["locales"]): MediaLine {
  const { "": plain, ...byCode } = asset.alt;
  const alt = plain ?? (defaultCode === undefined ? undefined : byCode[defaultCode]) ?? "";
  const others = Object.entries(byCode).filter(([code]) => code !== defaultCode);
  return {
    ...{ kind: "media", id: asset.id, filename: asset.filename, alt },
    ...(defaultCode !== undefined && others.length > 0 && { alts: Object.fromEntries(others) }),
    ...{ focalPoint: asset.focalPoint ?? null, masterVersion: 1, lastVersion: 1 },
    ...{ mime: file.mime, sizeBytes: file.sizeBytes, sha256: file.sha256 },
    ...{ createdAt: asset.createdAt, updatedAt: asset.updatedAt },
  };
}

/** Returns the publication of a locale. The published content is version 1, and a change since is version 2. */
const editionLine = ({ publishedAt, publishAt }: SiteEdition, version: number): LineEdition => ({
  version,
  ...(publishedAt !== undefined && { publishedVersion: 1, publishedAt, firstPublishedAt: publishedAt }),
  ...(publishAt !== undefined && { publishAt }),
});

/** Returns the lines of a record: itself, and its published content. */
export function recordLines(record: SiteRecord, target: Target): (RecordLine | PublishedLine)[] {
  const { typeModel, model, id, createdAt, updatedAt, draft, published } = record;
  const definition = target.models.get(`${typeModel}/${model}`);
  const [defaultCode] = target.locales;
  const localized = localizedFields(definition, defaultCode);
  const address = { typeModel, model, id };
  const data = (content: JsonObject): JsonObject => inLocales(content, localized, defaultCode);
  if (definition?.drafts !== true) {
    return [{ kind: "record", ...address, version: 1, createdAt, updatedAt, data: data(draft) }];
  }
  const editions = editionsFor(record.editions, defaultCode);
  const codes = Object.keys(editions);
  const changed = changedLocales(data(draft), data(published ?? draft), localized, { codes, defaultCode });
  const version = changed.size > 0 ? 2 : 1;
  const byCode = Object.fromEntries(
    codes.map((code) => [code, editionLine(editions[code]!, changed.has(code) ? 2 : 1)]),
  );
  const main = byCode[defaultCode ?? ""] ?? { version };
  // All contents are on the line: an empty one is empty, and stands on no line of its own.
  const inAll = (some: Record<string, LineEdition>) =>
    defaultCode !== undefined && { editions: some, apart: [] };
  const line: RecordLine = {
    ...{ kind: "record", ...address, ...main, version, createdAt, updatedAt },
    ...inAll(byCode),
    data: data(draft),
  };
  const out = Object.entries(editions).filter(([, { publishedAt }]) => publishedAt !== undefined);
  const [first] = out;
  if (!first) return [line];
  const shown = onlyIn(data(published ?? draft), localized, new Set(out.map(([code]) => code)));
  const publishedAt = main.publishedAt ?? first[1].publishedAt!;
  const publishedEditions = Object.fromEntries(out.map(([code, edition]) => [code, editionLine(edition, 1)]));
  return [
    line,
    {
      ...{ kind: "published", ...address, version: 1, updatedAt, publishedVersion: 1 },
      ...{ publishedAt, firstPublishedAt: publishedAt },
      ...inAll(publishedEditions),
      data: shown,
    },
  ];
}

const localizedFields = (
  definition: Pick<SiteModel, "fields"> | undefined,
  defaultCode: string | undefined,
): ReadonlySet<string> =>
  new Set(
    defaultCode === undefined
      ? []
      : definition?.fields.filter((field) => field["localized"] === true).map(({ name }) => name),
  );

/** Returns the editions by the codes of the space's locales: a site without locales is in the default one. */
function editionsFor(
  editions: SiteRecord["editions"],
  defaultCode: string | undefined,
): SiteRecord["editions"] {
  if (defaultCode === undefined) return { "": editions[""] ?? Object.values(editions)[0] ?? {} };
  const { "": plain, ...byCode } = editions;
  return plain ? { ...byCode, [defaultCode]: plain } : byCode;
}

/** Returns content in which each localized field is an object by code. */
function inLocales(
  content: JsonObject,
  localized: ReadonlySet<string>,
  defaultCode: string | undefined,
): JsonObject {
  if (defaultCode === undefined || localized.size === 0) return content;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => {
      const isByCode = typeof value === "object" && value !== null && !Array.isArray(value);
      return [name, localized.has(name) && !isByCode ? { [defaultCode]: value } : value];
    }),
  );
}

/**
 * Returns the locales in which the draft differs from the published content. Shared fields belong to the default locale, and
 * so do the values in a locale without an edition.
 */
function changedLocales(
  draft: JsonObject,
  published: JsonObject,
  localized: ReadonlySet<string>,
  { codes, defaultCode = "" }: { codes: readonly string[]; defaultCode: string | undefined },
): ReadonlySet<string> {
  const differ = (one: Json | undefined, other: Json | undefined): boolean =>
    JSON.stringify(one ?? null) !== JSON.stringify(other ?? null);
  const changed = new Set<string>();
  for (const name of new Set([...Object.keys(draft), ...Object.keys(published)])) {
    if (!localized.has(name)) {
      if (differ(draft[name], published[name])) changed.add(defaultCode);
      continue;
    }
    const [now = {}, then = {}] = [draft[name], published[name]] as (JsonObject | undefined)[];
    for (const code of new Set([...Object.keys(now), ...Object.keys(then)])) {
      if (differ(now[code], then[code])) changed.add(codes.includes(code) ? code : defaultCode);
    }
  }
  return changed;
}

/** Returns content without the values of locales that are not published. */
function onlyIn(content: JsonObject, localized: ReadonlySet<string>, codes: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, value]): [string, JsonObject[string]][] => {
      if (!localized.has(name)) return [[name, value]];
      const kept = Object.entries(value as JsonObject).filter(([code]) => codes.has(code));
      return kept.length > 0 ? [[name, Object.fromEntries(kept)]] : [];
    }),
  );
}
