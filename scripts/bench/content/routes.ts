/** The requests of the bench of the content API. */
import { idOf } from "./data.ts";
import { SPACE } from "./fill.ts";

export const ARTICLES = `${SPACE}/data/collections/articles`;

export const ROUTES: [string, string][] = [
  ["one record", `${ARTICLES}/${idOf("R", 777)}`],
  ["list, newest", `${ARTICLES}?`],
  ["sort by number", `${ARTICLES}?sort=-views`],
  ["filter, rare value", `${ARTICLES}?filter[author][eq]=${idOf("A", 77)}`],
  ["filter, common value", `${ARTICLES}?filter[kind][eq]=published`],
  ["rare filter, other sort", `${ARTICLES}?filter[slug][eq]=slug-777&sort=title`],
  ["common filter, other sort", `${ARTICLES}?filter[kind][eq]=published&sort=title`],
  ["range, same sort", `${ARTICLES}?filter[views][gte]=500&filter[views][lt]=900000&sort=views`],
  [
    "two filters, two sorts",
    `${ARTICLES}?filter[kind][eq]=published&filter[day][gt]=2021-01-01T00:00:00Z&sort=day,-title`,
  ],
  ["relation filter", `${ARTICLES}?filter[author.name][eq]=Author%2077`],
  ["or, two rare values", `${ARTICLES}?filter[or][0][slug][eq]=slug-7&filter[or][1][slug][eq]=slug-8`],
  ["count, common value", `${ARTICLES}?filter[kind][eq]=published&count=true`],
  ["search, some 100 match", `${ARTICLES}?search=title%207919`],
  ["search, all match", `${ARTICLES}?search=title`],
  ["three levels of populate, 25", `${ARTICLES}?populate=author.company.city`],
  ["draft, one record", `${ARTICLES}/${idOf("R", 777)}?status=draft`],
  ["draft list, newest", `${ARTICLES}?status=draft`],
  ["draft filter, common value", `${ARTICLES}?status=draft&filter[kind][eq]=published`],
  ["draft filter, other sort", `${ARTICLES}?status=draft&filter[kind][eq]=published&sort=title`],
  ["history of a record", `${ARTICLES}/${idOf("R", 777)}/versions`],
];
