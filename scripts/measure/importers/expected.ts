/** Reads the exports by itself, with none of the importers' code, and compares them with a space. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import type { System } from "../../../src/command/importers/site.ts";
import { strapi } from "./expected-strapi.ts";
import { holds, Ledger, linesOf, visit, type Comparison, type Json } from "./ledger.ts";
import { lackingWords, textsIn, wordsIn, type Measured } from "./measured.ts";

function contentful(file: string, measured: Measured, ledger: Ledger): void {
  const { entries, assets } = JSON.parse(readFileSync(file, "utf8")) as { entries: Json[]; assets: Json[] };
  const ids = new Set(entries.map(({ sys }) => (sys as Json)["id"]));
  const pictures = assets.filter((asset) => JSON.stringify(asset).includes('"contentType":"image/'));
  ledger.check(
    "pictures",
    measured.media.length === pictures.length,
    `${measured.media.length} of ${pictures.length}`,
  );
  for (const { sys, fields } of entries as { sys: Json; fields: Json }[]) {
    const id = sys["id"] as string;
    const record = measured.drafts.get(id);
    ledger.check("entries", record !== undefined, id);
    if (!record) continue;
    ledger.check("creation times", record["createdAt"] === sys["createdAt"], id);
    const isLive =
      sys["publishedVersion"] !== undefined && Number(sys["version"]) === Number(sys["publishedVersion"]) + 1;
    ledger.check("publications", measured.published.has(id) === isLive, id);
    const texts: string[] = [];
    for (const byLocale of Object.values(fields) as Json[]) {
      for (const value of Object.values(byLocale)) {
        visit(value, (object) => {
          if (object["nodeType"] === "text") texts.push(object["value"] as string);
          const link = object["sys"] as Json | undefined;
          if (link?.["linkType"] === "Entry" && ids.has(link["id"])) {
            ledger.check(
              "references",
              holds(record, measured.drafts.get(link["id"] as string)?.id),
              `${id} to ${link["id"] as string}`,
            );
          }
        });
        if (typeof value === "string") texts.push(value);
      }
    }
    const lacking = lackingWords(wordsIn(texts), wordsIn(textsIn(record)));
    // A time is written in another form.
    ledger.check(
      "words",
      lacking.every((word) => /\d/.test(word)),
      `${id} lacks ${lacking.slice(0, 5).join(" ")}`,
    );
  }
}

function sanity(file: string, measured: Measured, ledger: Ledger): void {
  const text = file.endsWith(".ndjson")
    ? readFileSync(file, "utf8")
    : execFileSync("tar", ["-xzOf", file, "--wildcards", "*data.ndjson"], { maxBuffer: 2 ** 30 }).toString();
  const documents = linesOf(text).filter(
    ({ _type, _id }) => !(_type as string).startsWith("sanity.") && !(_id as string).startsWith("versions."),
  );
  const ids = new Set(documents.map(({ _id }) => _id));
  const images = new Set<string>();
  for (const document of documents.filter(({ _id }) => !(_id as string).startsWith("drafts."))) {
    const id = document["_id"] as string;
    const record = measured.drafts.get(id);
    ledger.check("documents", record !== undefined, id);
    if (!record) continue;
    ledger.check("publications", measured.published.has(id), id);
    ledger.check(
      "creation times",
      Date.parse(record["createdAt"] as string) === Date.parse(document["_createdAt"] as string),
      id,
    );
    const texts: string[] = [];
    visit({ ...document, _system: null }, (object) => {
      const asset = object["_sanityAsset"];
      if (typeof asset === "string" && asset.startsWith("image@")) images.add(asset);
      if (object["_type"] === "span") texts.push(object["text"] as string);
      const ref = object["_ref"];
      if (typeof ref === "string" && ids.has(ref) && object["_type"] === "reference") {
        ledger.check("references", holds(record, measured.drafts.get(ref)?.id), `${id} to ${ref}`);
      }
      for (const [name, value] of Object.entries(object)) {
        const isOwn =
          !name.startsWith("_") &&
          !["text", "alt", "style", "listItem", "blank", "linkType", "target"].includes(name);
        if (isOwn && typeof value === "string" && Number.isNaN(Date.parse(value))) texts.push(value);
      }
    });
    const lacking = lackingWords(wordsIn(texts), wordsIn([JSON.stringify(record)]));
    ledger.check("words", lacking.length === 0, `${id} lacks ${lacking.slice(0, 5).join(" ")}`);
  }
  ledger.check(
    "pictures",
    measured.media.length === images.size,
    `${measured.media.length} of ${images.size}`,
  );
}

/** Returns the texts of HTML, without shortcodes and comments, by expressions alone. */
const plain = (html: string): string =>
  html
    .replaceAll(/<!--[\s\S]*?-->/g, " ")
    .replaceAll(/<(script|style)[\s\S]*?<\/\1>/gi, " ")
    .replaceAll(/\[\/?(?:caption|gallery|embed|audio|video|playlist)[^\]]*\]/g, " ")
    .replaceAll(
      /<\/?(?:b|strong|em|i|a|span|code|sub|sup|u|s|del|ins|small|big|abbr|acronym|cite|q|kbd|var|tt|mark|strike)\b[^>]*>/gi,
      "",
    )
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(?:nbsp|#160);/g, " ")
    .replaceAll(/&(?:amp|#0?38);/g, "&")
    .replaceAll(/&(?:lt|gt|quot|#\d+|#x[0-9a-f]+|[a-z]+);/gi, " ");

function wordpress(file: string, measured: Measured, ledger: Ledger): void {
  const items = readFileSync(file, "utf8").split("<item>").slice(1);
  const value = (item: string, name: string): string => {
    const text = new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(item)?.[1] ?? "";
    return /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(text)?.[1] ?? text;
  };
  const ofType = (type: string): string[] => items.filter((item) => value(item, "wp:post_type") === type);
  const counts: [model: string, expected: number][] = [
    ["posts", ofType("post").length],
    ["pages", ofType("page").length],
  ];
  for (const [model, count] of counts) {
    // An export without pages makes no model of them.
    const found = measured.counts.get(model) ?? 0;
    ledger.check("counts", found === count, `${model}: ${found} of ${count}`);
  }
  const attachments = ofType("attachment").map((item) => value(item, "wp:attachment_url"));
  const pictures = attachments.filter((address) => /\.(?:jpe?g|png|gif|webp|svg)$/i.test(address));
  ledger.check(
    "pictures",
    measured.media.length >= pictures.length,
    `${measured.media.length} of ${pictures.length}`,
  );
  for (const item of [...ofType("post"), ...ofType("page")]) {
    // An export that was written by hand may have the id in the address alone, and no time in UTC.
    const id = value(item, "wp:post_id") || (/[?&]p=(\d+)/.exec(value(item, "link"))?.[1] ?? "");
    const record = measured.drafts.get(id);
    const isLive = value(item, "wp:status") === "publish" && value(item, "wp:post_password") === "";
    ledger.check("posts", record !== undefined, id);
    if (!record) continue;
    ledger.check("publications", measured.published.has(id) === isLive, id);
    const date = (value(item, "wp:post_date_gmt") || value(item, "wp:post_date")).replace(" ", "T");
    if (!date.startsWith("0000")) ledger.check("creation times", record["createdAt"] === `${date}.000Z`, id);
    ledger.check(
      "stickiness",
      record["sticky"] === undefined || record["sticky"] === (value(item, "wp:is_sticky") === "1"),
      id,
    );
    for (const [, domain, nicename] of item.matchAll(
      /<category domain="(category|post_tag)" nicename="([^"]*)"/g,
    )) {
      ledger.check(
        "terms",
        holds(record, measured.drafts.get(`${domain!}:${nicename!}`)?.id),
        `${id} ${nicename!}`,
      );
    }
    const content = value(item, "content:encoded");
    const lacking = lackingWords(
      wordsIn([plain(content)]),
      wordsIn([...textsIn(record["body"]), JSON.stringify(record["body"])]),
    );
    ledger.check("words", lacking.length === 0, `${id} lacks ${lacking.slice(0, 8).join(" ")}`);
    const shown = [...content.matchAll(/<img\b[^>]*\bsrc="https?:/g)].length;
    const images = (record["body"] as Json[]).filter(({ _type }) => _type === "image").length;
    ledger.check("pictures in texts", images >= shown, `${id}: ${images} of ${shown}`);
  }
}

const COMPARE: Record<System, (file: string, measured: Measured, ledger: Ledger) => void> = {
  contentful,
  sanity,
  strapi,
  wordpress,
};

export function expectedOf(system: System, file: string, measured: Measured): Promise<Comparison> {
  const ledger = new Ledger();
  COMPARE[system](file, measured, ledger);
  return Promise.resolve(ledger.result());
}
