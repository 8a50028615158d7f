import { expect, it } from "vitest";
import type { SiteRecord } from "../../../../src/command/importers/site.ts";
import { recordLines } from "../../../../src/command/importers/write/lines.ts";

const TIME = "2024-01-01T00:00:00.000Z";
const fields = [
  { name: "title", type: "string", localized: true },
  { name: "price", type: "number" },
];
const target = { locales: ["en", "de"], models: new Map([["collections/things", { drafts: true, fields }]]) };
const PUBLISHED = { title: { en: "One", de: "Eins" }, price: 1 };

const thing = (draft: SiteRecord["draft"], published?: SiteRecord["draft"]): SiteRecord => ({
  ...{ typeModel: "collections", model: "things", id: "1", sourceId: "1", createdAt: TIME, updatedAt: TIME },
  ...{
    draft,
    ...(published && { published }),
    editions: { en: { publishedAt: TIME }, de: { publishedAt: TIME } },
  },
});

it.each([
  ["nothing", thing(PUBLISHED), 1, 1, 1],
  ["one language", thing({ ...PUBLISHED, title: { en: "One", de: "Zwei" } }, PUBLISHED), 2, 1, 2],
  ["the default language", thing({ ...PUBLISHED, title: { en: "Two", de: "Eins" } }, PUBLISHED), 2, 2, 1],
  ["a shared field", thing({ ...PUBLISHED, price: 2 }, PUBLISHED), 2, 2, 1],
  [
    "a language without an edition",
    thing({ ...PUBLISHED, title: { en: "One", de: "Eins", fr: "Un" } }, PUBLISHED),
    2,
    2,
    1,
  ],
  [
    "the order of languages alone",
    thing({ ...PUBLISHED, title: { de: "Eins", en: "One" } }, PUBLISHED),
    1,
    1,
    1,
  ],
  ["a field that goes", thing({ title: { en: "One" }, price: 1 }, PUBLISHED), 2, 1, 2],
])("counts a version for the languages that changed: %s", (_, record, version, en, de) => {
  const [line, published] = recordLines(record, target);
  expect(line).toMatchObject({
    version,
    publishedVersion: 1,
    editions: { en: { version: en, publishedVersion: 1 }, de: { version: de, publishedVersion: 1 } },
  });
  expect(published).toMatchObject({ version: 1, editions: { en: { version: 1 }, de: { version: 1 } } });
});
