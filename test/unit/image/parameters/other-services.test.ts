/**
 * Queries as pages write them for imgix, Sanity and Contentful: those of their documentation (the fixture, which names the
 * pages), and more that cover what the documentation says without an example. Each is answered, unless a value of it is
 * refused that the tables in src/edge/delivery/OTHERS.md say is (RULES 5.2).
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { framingOf } from "../../../../src/edge/delivery/framing.ts";
import { ApiError } from "../../../../src/errors.ts";
import { parsePictureParameters } from "../../../../src/image/parameters/read.ts";
import { BACKGROUND, CROP } from "../../../../src/limits.ts";
import named from "../../../fixtures/other-services/parameters.json" with { type: "json" };
import documentedQueries from "../../../fixtures/other-services/queries.json" with { type: "json" };

/** A query, and the parameter for which it is refused; null for none. */
type Example = readonly [
  query: string,
  refused: "w" | "h" | "ar" | "dpr" | "fit" | "q" | "fm" | "auto" | "bg" | null,
];

const IMGIX: readonly Example[] = [
  ["", null],
  ["w=500&auto=format", null],
  ["w=600&exp=1", null],
  ["auto=format,compress", null],
  ["auto=compress,format&w=640", null],
  ["auto=format%2Ccompress&w=400&q=75", null],
  ["auto=compress&w=900&cs=tinysrgb", null],
  ["auto=enhance", "auto"],
  ["auto=enhance,redeye&w=500", "auto"],
  ["fit=crop&h=300&w=500&auto=enhance&dpr=1", "auto"],
  ["fit=crop&h=300&w=500", "h"],
  ["fit=crop&h=300&w=400&dpr=1", null],
  ["fit=crop&h=300&w=400&dpr=2", null],
  ["fit=crop&h=300&w=400&dpr=3", null],
  ["w=640&dpr=1.5", null],
  ["w=640&dpr=2.63&q=50", null],
  ["w=100&dpr=5", "dpr"],
  ["w=200&h=200&fit=crop&crop=faces", null],
  ["w=200&h=200&fit=crop&crop=faces,top,left", null],
  ["w=300&h=300&fit=crop&crop=focalpoint&fp-x=0.4&fp-y=0.7&fp-z=2", null],
  ["fit=crop&w=240&ar=16:9", null],
  ["ar=1:1&fit=crop&w=400", null],
  ["ar=9:1&fit=crop", "ar"],
  ["ar=0.85:1&fit=crop&w=400", "ar"],
  ["ar=16:9&fit=fill&fill=solid&fill-color=orange", "fit"],
  ["w=0.5", "w"],
  ["w=320&fit=clip", "fit"],
  ["w=320&h=320&fit=clamp", "fit"],
  ["w=640&h=480&fit=fill&bg=ffffff", "fit"],
  ["w=640&h=480&fit=fillmax", "fit"],
  ["w=640&fit=max", "fit"],
  ["w=320&h=320&fit=facearea&facepad=1.5", "fit"],
  ["w=640&h=480&fit=min", "fit"],
  ["w=640&h=480&fit=scale", "fit"],
  ["w=640&h=480&fit=crop&rect=0,0,800,600", null],
  ["fit=crop&h=200&max-w=1200", null],
  ["fit=crop&w=300&max-h=300&min-w=100", null],
  ["fm=jpg&w=640", null],
  ["fm=jpg&q=75&w=640", null],
  ["fm=jpg&q=20&w=640&h=640&fit=crop", null],
  ["fm=png&w=640", null],
  ["fm=webp&q=80&w=640&lossless=1", null],
  ["fm=avif&w=640", null],
  ["fm=pjpg&w=640", "fm"],
  ["fm=gif", "fm"],
  ["fm=mp4", "fm"],
  ["fm=json", "fm"],
  ["fm=blurhash", "fm"],
  ["fm=jpg&auto=format&w=100", "fm"],
  ["w=640&q=0", "q"],
  ["w=640&q=1", null],
  ["w=640&q=100", null],
  ["w=640&bg=ffffff&pad=20", null],
  ["w=640&bg=000000", null],
  ["w=640&bg=fff", "bg"],
  ["w=640&bg=80ffffff", "bg"],
  ["w=640&bg=orange", "bg"],
  ["w=640&blur=200&px=10&sat=-100", null],
  ["w=640&sharp=10&usm=20&bri=5&con=5&gam=1&high=-10&hue=20&shad=5&vib=10&sepia=80&invert=true", null],
  ["w=640&monochrome=ff4a4a4a&duotone=000080,FA8072&htn=5&nr=10", null],
  ["w=640&rot=90&flip=h&or=2&border=10,ff0000&mask=ellipse&corner-radius=10", null],
  ["w=640&txt=Hello%2C%20World!&txt-size=48&txt-color=fff", null],
  ["w=640&mark=https%3A%2F%2Fassets.imgix.net%2Flogo.png&mark-w=100&blend=ff0000&blend-mode=multiply", null],
  [
    "w=640&dpi=300&chromasub=444&colorquant=16&ch=Width,DPR&palette=json&expires=1500000000&s=abc&ixlib=js-3.2.1",
    null,
  ],
];

const SANITY: readonly Example[] = [
  ["h=200", null],
  ["w=200", null],
  ["rect=70,20,120,150&h=200&blur=10", null],
  ["w=200&h=200", null],
  ["w=200&h=200&fit=crop&crop=top", null],
  ["w=300&h=300&fit=crop&crop=focalpoint&fp-x=0.3&fp-y=0.2", null],
  ["w=500&h=300", "h"],
  ["w=800&h=600&q=75&auto=format", null],
  ["w=640&auto=format", null],
  ["w=640&auto=format&dpr=2", null],
  ["w=100&dpr=3&q=30", null],
  ["w=640&fm=jpg&q=50", null],
  ["fm=webp&w=640", null],
  ["fm=png&w=640&bg=ffffff", null],
  ["fm=pjpg&w=640", "fm"],
  ["w=640&bg=ff00ff", "bg"],
  ["w=640&bg=fff", "bg"],
  ["w=640&fit=max", "fit"],
  ["w=640&h=480&fit=clip", "fit"],
  ["w=640&h=480&fit=fill&bg=000000", "fit"],
  ["w=640&h=480&fit=fillmax", "fit"],
  ["w=640&h=480&fit=min", "fit"],
  ["w=640&h=480&fit=scale", "fit"],
  ["w=640&max-w=800&max-h=600&min-w=10&min-h=10", null],
  ["w=640&or=90&flip=hv&sharp=20&sat=-100&invert=true&pad=10&border=5,ff0000&rot=90&frame=1", null],
  ["dl=photo.jpg", null],
];

const CONTENTFUL: readonly Example[] = [
  ["", null],
  ["fm=jpg", null],
  ["fm=png", null],
  ["fm=webp", null],
  ["fm=avif", null],
  ["fm=gif", "fm"],
  ["fm=tiff", "fm"],
  ["fm=jpg&fl=progressive", null],
  ["fm=png&fl=png8", null],
  ["w=100&h=100", null],
  ["w=100", null],
  ["h=100", null],
  ["w=300&h=200&fit=crop", null],
  ["w=100&h=100&fit=pad", null],
  ["fit=pad&w=100&h=100&bg=ffffff", null],
  ["fit=pad&w=100&h=100&bg=rgb:9090ff", "bg"],
  ["fit=fill&w=100&h=100", "fit"],
  ["fit=scale&w=100&h=100", "fit"],
  ["fit=thumb&f=top_right&h=200&w=400", "fit"],
  ["fit=crop&f=face&h=200&w=400", null],
  ["r=20&w=100&h=100", null],
  ["r=max&w=300&h=300", null],
  ["fm=jpg&q=50", null],
  ["q=1&w=100", null],
  ["fm=avif&q=100&w=1000", null],
];

const SPACE: Parameters<typeof framingOf>[1] = {
  aspectRatios: CROP.aspectRatiosDefault,
  backgrounds: BACKGROUND.backgroundsDefault,
  focalPoint: null,
};

/** Returns the parameter for which a query is refused; null for none. */
function refusedFor(query: string, space = SPACE): string | null {
  try {
    framingOf(parsePictureParameters(new URLSearchParams(query)), space);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    return error.details?.[0]?.path ?? "";
  }
}

type Service = keyof typeof documentedQueries;

/** Returns the examples of a service's documentation, each once. */
function documentedExamples(service: Service): readonly Example[] {
  const all = documentedQueries[service].flatMap(({ queries }) => queries as unknown as Example[]);
  return [...new Map(all.map((example) => [example[0], example])).values()];
}

const page = readFileSync(new URL("../../../../src/edge/delivery/OTHERS.md", import.meta.url), "utf8");
/** Returns the parameters in the first column of a service's table. One that ends with `…` is the beginning of several. */
function documented(service: string): string[] {
  const section = page.split(/^## /m).find((text) => text.startsWith(service)) ?? "";
  const columns = section.split("\n").map((line) => /^\|([^|]*)\|/.exec(line)?.[1] ?? "");
  return columns.flatMap((column) => [...column.matchAll(/`([^`]+)`/g)].map((match) => match[1]!));
}

const isKnown = (known: string[], name: string): boolean =>
  known.some((entry) => (entry.endsWith("…") ? name.startsWith(entry.slice(0, -1)) : name === entry));

/** The values that no space may refuse: quality, format and density alone, and those that every space lists. */
const NEVER_REFUSED: Record<string, (value: string, query: URLSearchParams) => boolean> = {
  q: (value) => /^(?:100|[1-9]\d?)$/.test(value),
  fm: (value, query) => /^(?:jpe?g|png|webp|avif)$/.test(value) && !query.has("auto"),
  auto: (value, query) =>
    value.split(",").every((member) => ["format", "compress"].includes(member)) &&
    query.getAll("auto").length === 1,
  dpr: (value) => /^\d(?:\.\d{1,2})?$/.test(value) && Number(value) >= 1 && Number(value) <= 4,
  fit: (value, query) =>
    value === "crop" ||
    (value === "inside" && query.has("w") && query.has("h")) ||
    (value === "pad" && (query.has("ar") || (query.has("w") && query.has("h")))),
  bg: (value) => SPACE.backgrounds.includes(value.toLowerCase()),
  w: (value) => /^[1-9]\d{0,3}$/.test(value) && Number(value) <= 8192,
  // With a width, the ratio of the two must be listed.
  h: (value, query) => /^[1-9]\d{0,3}$/.test(value) && Number(value) <= 8192 && !query.has("w"),
  ar: (value) => SPACE.aspectRatios.includes(value),
};

/** Returns the ratio of `w` and `h` in a query; null without both. */
function ratioOf(query: URLSearchParams): string | null {
  const [w, h] = [query.get("w"), query.get("h")];
  return w !== null && h !== null ? `${w}:${h}` : null;
}

describe.each([
  ["imgix", "imgix", IMGIX],
  ["Sanity", "sanity", SANITY],
  ["Contentful", "contentful", CONTENTFUL],
] as const)("the examples of %s", (service, key, others) => {
  const examples = [...documentedExamples(key), ...others];

  it.each(examples)("%j: refused for %j", (query, refused) => {
    expect(refusedFor(query)).toBe(refused);
  });

  it("are refused for no value that the service takes", () => {
    for (const [text, refused] of examples) {
      const query = new URLSearchParams(text);
      const isTaken = refused !== null && NEVER_REFUSED[refused]?.(query.get(refused) ?? "", query);
      expect(isTaken, text).not.toBe(true);
    }
  });

  it("are answered in every box, once the space lists its ratio", () => {
    for (const [text, refused] of examples) {
      const query = new URLSearchParams(text);
      const ratio = ratioOf(query);
      if (refused !== "h" || ratio === null) continue;
      expect(refusedFor(text, { ...SPACE, aspectRatios: [ratio] }), text).toBeNull();
    }
  });

  it("and every parameter of its documentation have a line in the table", () => {
    const names = examples.flatMap(([query]) => [...new URLSearchParams(query).keys()]);
    const known = documented(service);
    const all = new Set([...names, ...named[key].names]);
    expect([...all].filter((name) => !isKnown(known, name))).toEqual([]);
  });
});
