/**
 * Reads an export of Strapi 5 by itself, with none of the importers' code, and compares it with a space: every row, which
 * is the draft or the published content of a document in one language, with what the space has of it there.
 */
import { execFileSync } from "node:child_process";
import { holds, linesOf, visit, type Json, type Ledger } from "./ledger.ts";
import { lackingWords, textsIn, wordsIn, type Measured } from "./measured.ts";

interface Attribute {
  type: string;
  component?: string;
}
interface Schema {
  uid: string;
  kind?: "collectionType" | "singleType";
  options?: { draftAndPublish?: boolean };
  attributes: Record<string, Attribute>;
}
interface End {
  type: string;
  ref: number;
  field?: string;
  pos?: number;
}
interface Link {
  kind: string;
  left: End;
  right: End;
}

interface Row {
  key: string;
  documentId: string;
  locale: string;
  data: Json;
  schema: Schema;
  /** Whether the space has the row as published content. */
  isPublished: boolean;
  /** The links of the row and of its components: the field, and the ids of documents and files. */
  links: string[];
}

const FILE = "plugin::upload.file";
/** Types of attributes whose values stay as they are. */
const PLAIN = ["string", "text", "uid", "email", "enumeration", "time", "biginteger"];
/** Members of rows that are no content. */
const NO_TEXT = ["documentId", "createdAt", "updatedAt", "publishedAt", "locale", "__component"];

const ownersKey = (type: string, ref: number): string => `${type}:${ref}`;

/** Returns a record as it is in one language. */
function inLocale(record: Json, code: string, codes: ReadonlySet<string>): Json {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const isByCode =
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        name !== "statuses" &&
        Object.keys(value).length > 0 &&
        Object.keys(value).every((key) => codes.has(key));
      return [name, isByCode ? (value as Json)[code] : value];
    }),
  );
}

/** Returns the values of a row without passwords, and of pictures in texts nothing but their words. */
function contentOf({ data, schema }: Row): Json {
  const isText = ([name]: [string, unknown]): boolean => schema.attributes[name]?.type !== "password";
  return JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(data).filter(isText))), (_, value) => {
    const node = value as { type?: string; image?: Json; children?: unknown } | string | null;
    const isNode = typeof node === "object" && node !== null && Array.isArray(node.children);
    if (!isNode) return value as unknown;
    const { image, ...rest } = node;
    const { alternativeText = null, caption = null } = image ?? {};
    return { ...rest, type: null, format: null, ...(image && { alternativeText, caption }) };
  }) as Json;
}

function textsOf(row: Row): string[] {
  const texts: string[] = [];
  visit(contentOf(row), (object) => {
    for (const [name, value] of Object.entries(object)) {
      if (!NO_TEXT.includes(name) && typeof value === "string") texts.push(value);
    }
  });
  // Texts in Markdown may hold HTML, of which the words of tags are no text.
  const address = /(?:https?:\/\/[^\s/]*)?\/uploads\/[^\s)]*/g;
  return texts.map((text) => text.replaceAll(/<\/?[a-z][^>]*>/gi, " ").replaceAll(address, " "));
}

/** Notes the row as the owner of every component in a value. */
function ownComponents(
  value: unknown,
  { attributes }: Schema,
  schemas: ReadonlyMap<string, Schema>,
  own: (type: string, ref: number) => void,
): void {
  for (const [name, { component }] of Object.entries(attributes)) {
    const held = (value as Json)[name];
    for (const item of (Array.isArray(held) ? held : [held]) as (Json | null | undefined)[]) {
      if (typeof item !== "object" || item === null) continue;
      const schema = schemas.get(component ?? (item["__component"] as string));
      if (!schema) continue;
      own(schema.uid, item["id"] as number);
      ownComponents(item, schema, schemas, own);
    }
  }
}

function readExport(file: string) {
  const read = (folder: string): Json[] =>
    linesOf(
      execFileSync("tar", ["-xOf", file, "--wildcards", `${folder}/*.jsonl`], {
        maxBuffer: 2 ** 30,
      }).toString(),
    );
  const entities = read("entities") as { type: string; id: number; data: Json }[];
  const schemas = new Map((read("schemas") as unknown as Schema[]).map((schema) => [schema.uid, schema]));
  const owners = new Map<string, Row>();
  const rows: Row[] = [];
  for (const { type, id, data } of entities.filter((one) => one.type.startsWith("api::"))) {
    const schema = schemas.get(type)!;
    const hasDrafts = schema.options?.draftAndPublish === true;
    const row: Row = {
      ...{ key: ownersKey(type, id), documentId: data["documentId"] as string, data, schema, links: [] },
      ...{ locale: (data["locale"] as string | null) ?? "" },
      isPublished: hasDrafts && data["publishedAt"] !== null,
    };
    rows.push(row);
    owners.set(row.key, row);
    ownComponents(data, schema, schemas, (uid, ref) => owners.set(ownersKey(uid, ref), row));
  }
  return { entities, rows, owners, schemas, links: read("links") as unknown as Link[] };
}

export function strapi(file: string, measured: Measured, ledger: Ledger): void {
  const { entities, rows, owners, schemas, links } = readExport(file);
  const files = entities.filter(({ type }) => type === FILE);
  const pictures = files.filter(({ data }) => (data["mime"] as string).startsWith("image/"));
  const mediaOf = new Map(
    pictures.map(({ id, data }) => [
      id,
      measured.media.find(
        ({ filename, createdAt }) => filename === data["name"] && createdAt === data["createdAt"],
      ),
    ]),
  );
  const locales = new Set(
    entities.filter(({ type }) => type === "plugin::i18n.locale").map(({ data }) => data["code"] as string),
  );
  const seen = (row: Row): Json | undefined => {
    const record = (row.isPublished ? measured.published : measured.drafts).get(row.documentId);
    return (
      record && inLocale(record, row.locale, locales.size > 1 && row.locale !== "" ? locales : new Set())
    );
  };

  for (const { kind, left, right } of [...links].sort((a, b) => (a.left.pos ?? 0) - (b.left.pos ?? 0))) {
    const isFile = left.type === FILE && left.field === "related";
    const [from, to] = isFile ? [right, left] : [left, right];
    const row = owners.get(ownersKey(from.type, from.ref));
    if (!row || from.field === "localizations") continue;
    const place = `${row.key} ${from.type} ${from.field ?? ""}`;
    const id = isFile
      ? mediaOf.get(to.ref)?.id
      : measured.drafts.get(owners.get(ownersKey(to.type, to.ref))?.documentId ?? "")?.id;
    // Relations to single types and to what is of plugins are left out.
    const isLeftOut = isFile
      ? !mediaOf.has(to.ref)
      : !to.type.startsWith("api::") || schemas.get(to.type)?.kind === "singleType";
    if (isLeftOut) continue;
    row.links.push(`${from.field ?? ""} ${id ?? ""}`);
    ledger.check(
      isFile ? "media of rows" : kind.replace("relation.", "relations: "),
      holds(seen(row), id),
      place,
    );
  }

  for (const row of rows) {
    const record = measured.drafts.get(row.documentId);
    ledger.check(row.isPublished ? "published rows" : "drafts", seen(row) !== undefined, row.key);
    if (!record) continue;
    const found = seen(row) ?? {};
    const ofDocument = rows.filter(({ documentId }) => documentId === row.documentId);
    const hasDrafts = row.schema.options?.draftAndPublish === true;
    const isLive = !hasDrafts || ofDocument.some(({ isPublished }) => isPublished);
    ledger.check("publications", measured.published.has(row.documentId) === isLive, row.key);
    const created = ofDocument.map(({ data }) => data["createdAt"] as string).sort()[0];
    ledger.check("creation times", record["createdAt"] === created, row.key);
    const lacking = lackingWords(wordsIn(textsOf(row)), wordsIn([JSON.stringify(found), ...textsIn(found)]));
    // Markdown has addresses of pictures, which are media, and marks of lists, which are no text. A timestamp is a time.
    const real = lacking.filter(
      (word) =>
        !/^\d+$|^x$|^(?:http|https|localhost|uploads|avif|jpe?g|png|webp|small|medium|large)$/.test(word) &&
        !/[0-9a-f]{10}/.test(word),
    );
    ledger.check("words", real.length === 0, `${row.key} lacks ${real.slice(0, 8).join(" ")}`);
    for (const [name, { type }] of Object.entries(row.schema.attributes)) {
      const value = row.data[name];
      if (!PLAIN.includes(type) || NO_TEXT.includes(name) || typeof value !== "string") continue;
      ledger.check("plain texts", Object.values(found).includes(value), `${row.key} ${name}`);
    }
    const live = ofDocument.find((one) => one.isPublished && one.locale === row.locale);
    if (!hasDrafts || row.isPublished) continue;
    const statuses = record["statuses"] as Record<string, string> | undefined;
    const status = statuses?.[row.locale] ?? record["status"];
    if (!live)
      ledger.check("drafts that are not published", status === "draft", `${row.key} ${String(status)}`);
    else if (sameContent(row, live))
      ledger.check("published and not changed", status === "published", row.key);
    else ledger.check("published and changed", status === "changed", `${row.key} ${String(status)}`);
  }

  ledger.check(
    "pictures",
    measured.media.length === pictures.length,
    `${measured.media.length} of ${pictures.length}`,
  );
  for (const { id, data } of pictures) {
    const name = data["name"] as string;
    const item = mediaOf.get(id) as (Json & { width: number; height: number }) | undefined;
    const alt = (data["alternativeText"] as string | null) || (data["caption"] as string | null) || "";
    ledger.check("alt texts", JSON.stringify(item ?? {}).includes(JSON.stringify(alt)), name);
    // Strapi does not know the size of every format.
    if (typeof data["width"] !== "number") continue;
    ledger.check("sizes of pictures", item?.width === data["width"] && item.height === data["height"], name);
  }
}

/** Returns whether two rows have the same content; numbers of rows and times are left out. */
function sameContent(one: Row, other: Row): boolean {
  const plain = (row: Row): string =>
    JSON.stringify([contentOf(row), [...row.links].sort()], (name, value: unknown) =>
      ["id", "createdAt", "updatedAt", "publishedAt"].includes(name) ? undefined : value,
    );
  return plain(one) === plain(other);
}
