/** The demo's content: the website of a small photo house, in English, and in German where it was translated. */
import { heading, item, linked, paragraph, picture, quotation, type Block } from "./demo-text.ts";

/** Ids by name: the demo's own names of records, and file names of media. */
export type Names = ReadonlyMap<string, string>;

/** The values of fields. @param names ids of the records and media made before */
type Values = (names: Names) => Record<string, unknown>;

interface DemoRecord {
  model: string;
  /** The name by which other records of the demo refer to it. */
  word?: string;
  values: Values;
  /** The values in German; left out for a record that is not translated. */
  german?: Values;
}

const person = (
  word: string,
  name: string,
  role: string,
  about: { en: string; de: string },
  portrait: string,
): DemoRecord => ({
  model: "people",
  word,
  values: (names) => ({ name, role, about: about.en, portrait: names.get(portrait) }),
  german: () => ({ about: about.de }),
});

interface Words {
  title: string;
  summary: string;
  body: (names: Names) => Block[];
}

interface Article extends Words {
  topic: string;
  author: string;
  cover: string;
  day: string;
  minutes: number;
  featured?: boolean;
  german?: Words;
}

const article = ({
  title,
  summary,
  body,
  author,
  cover,
  day,
  german,
  featured = false,
  ...more
}: Article): DemoRecord => {
  const slug = title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return {
    model: "articles",
    word: slug,
    values: (names) => ({
      ...more,
      title,
      slug,
      summary,
      featured,
      writtenOn: `${day}T08:00:00Z`,
      author: names.get(author),
      cover: names.get(cover),
      body: body(names),
    }),
    ...(german && { german: (names) => ({ ...german, body: german.body(names) }) }),
  };
};

const print = (
  title: { en: string; de: string },
  pictured: string,
  by: string,
  price: number,
  edition: number,
): DemoRecord => ({
  model: "prints",
  values: (names) => ({
    title: title.en,
    price,
    edition,
    picture: names.get(pictured),
    by: names.get(by),
    sizes: [
      { width: 30, height: 20 },
      { width: 60, height: 40 },
    ],
  }),
  german: () => ({ title: title.de }),
});

const THE_REST = "The rest of this story is yours to write: this is the demo space.";

/** The records. Each refers only to earlier ones. */
export const RECORDS: readonly DemoRecord[] = [
  person(
    "ines",
    "Inès Rochat",
    "Photographer",
    { en: "Walks at dusk with a large camera.", de: "Geht in der Dämmerung mit einer grossen Kamera." },
    "dunes.webp",
  ),
  person(
    "matteo",
    "Matteo Gallo",
    "Writer",
    { en: "Writes about what others walk past.", de: "Schreibt über das, woran andere vorbeigehen." },
    "leaves.jpg",
  ),
  person(
    "yuki",
    "Yuki Tanaka",
    "Printer",
    { en: "Knows forty papers by touch.", de: "Erkennt vierzig Papiere mit der Hand." },
    "mark.png",
  ),
  article({
    title: "Waiting for the last light",
    topic: "Light",
    author: "ines",
    cover: "hills-at-dusk.jpg",
    day: "2026-09-02",
    minutes: 6,
    summary: "Ten minutes after sunset the hills lose their edges, and the picture begins.",
    featured: true,
    body: (names) => [
      paragraph("The sun has set, the cars drive home. *Now* it is worth standing still."),
      heading("What to bring"),
      item("A tripod that does not mind mud"),
      item("A thermos"),
      item("Patience for forty minutes"),
      picture(names.get("hills-at-dusk.jpg"), "The hills, twelve minutes after sunset"),
      quotation("Nobody has ever missed a picture by waiting too long."),
      paragraph(THE_REST),
    ],
    german: {
      title: "Warten auf das letzte Licht",
      summary: "Zehn Minuten nach Sonnenuntergang verlieren die Hügel ihre Kanten, und das Bild beginnt.",
      body: (names) => [
        paragraph("Die Sonne ist weg, die Autos fahren heim. *Jetzt* lohnt es sich, stehen zu bleiben."),
        heading("Was mitkommt"),
        item("Ein Stativ, dem Schlamm nichts ausmacht"),
        item("Eine Thermosflasche"),
        item("Geduld für vierzig Minuten"),
        picture(names.get("hills-at-dusk.jpg"), "Die Hügel, zwölf Minuten nach Sonnenuntergang"),
        quotation("Noch niemand hat ein Bild verpasst, weil er zu lange wartete."),
      ],
    },
  }),
  article({
    title: "A calm sea is not empty",
    topic: "Places",
    author: "ines",
    cover: "morning-sea.avif",
    day: "2026-09-18",
    minutes: 4,
    summary: "Nine rows of waves, and no two of one blue.",
    featured: true,
    body: () => [paragraph("At six, the harbour is *still asleep*."), paragraph(THE_REST)],
    german: {
      title: "Eine ruhige See ist nicht leer",
      summary: "Neun Reihen Wellen, und keine zwei vom selben Blau.",
      body: () => [paragraph("Um sechs *schläft* der Hafen noch.")],
    },
  }),
  article({
    title: "What paper does to black",
    topic: "Paper",
    author: "yuki",
    cover: "leaves.jpg",
    day: "2026-10-05",
    minutes: 8,
    summary: "Baryta, cotton, kozo: the same negative printed three times.",
    body: () => [
      paragraph("Black is not a colour but a *depth*, and paper decides how deep."),
      heading("Three papers"),
      item("Baryta: wet, like a stone in a stream"),
      item("Cotton: dry, like soot"),
      item("Kozo: black that light passes through"),
      paragraph(THE_REST),
    ],
    german: {
      title: "Was Papier mit Schwarz macht",
      summary: "Baryt, Baumwolle, Kozo: dreimal dasselbe Negativ.",
      body: () => [],
    },
  }),
  article({
    title: "Counting dunes",
    topic: "Places",
    author: "matteo",
    cover: "dunes.webp",
    day: "2026-10-21",
    minutes: 5,
    summary: "There are six in the picture, and none of them is there any more.",
    body: () => [paragraph("Wind writes, and rubs out."), paragraph(THE_REST)],
  }),
  article({
    title: "Why things bounce",
    topic: "Light",
    author: "matteo",
    cover: "ball.gif",
    day: "2026-11-09",
    minutes: 3,
    summary: "Twelve frames are enough to believe in weight.",
    body: () => [paragraph("A circle goes down fast and up slowly. *That is all.*"), paragraph(THE_REST)],
  }),
  print({ en: "Hills at dusk", de: "Hügel in der Dämmerung" }, "hills-at-dusk.jpg", "ines", 240, 25),
  print({ en: "Morning sea", de: "See am Morgen" }, "morning-sea.avif", "ines", 180, 40),
  print({ en: "Dunes", de: "Dünen" }, "dunes.webp", "ines", 320, 12),
];

const galleryOf = (names: Names, title: string): Block => ({
  _type: "gallery",
  title,
  pictures: ["hills-at-dusk.jpg", "morning-sea.avif", "dunes.webp"].map((name) => names.get(name)),
});

export const PAGES: Readonly<Record<string, { values: Values; german: Values }>> = {
  home: {
    values: (names) => ({
      headline: "A house for photographs",
      hero: names.get("hills-at-dusk.jpg"),
      featured: [names.get("waiting-for-the-last-light"), names.get("a-calm-sea-is-not-empty")],
      sections: [
        {
          _type: "opening",
          headline: "We take, print and keep pictures",
          words: "Come in: the kettle is on.",
          picture: names.get("hills-at-dusk.jpg"),
          button: { words: "See the prints", address: "/prints" },
        },
        {
          _type: "story",
          text: [
            heading("Four rooms by the lake"),
            paragraph(
              "One for light, one for the dark, one for paper, and one in which *nothing* is done at all.",
            ),
            linked("How it began: ", "waiting for the last light", {
              record: names.get("waiting-for-the-last-light") ?? "",
            }),
            { _type: "callout", words: "Closed on Mondays.", tone: "calm" },
          ],
        },
        galleryOf(names, "From the archive"),
        { _type: "quote", words: "Nine rows of waves, and no two of one blue.", by: names.get("ines") },
      ],
    }),
    german: (names) => ({
      headline: "Ein Haus für Fotografien",
      sections: [
        {
          _type: "opening",
          headline: "Wir nehmen Bilder auf, drucken und bewahren sie",
          words: "Kommen Sie herein: das Wasser kocht.",
          picture: names.get("hills-at-dusk.jpg"),
          button: { words: "Zu den Abzügen", address: "/prints" },
        },
        {
          _type: "story",
          text: [
            heading("Vier Räume am See"),
            paragraph(
              "Einer für das Licht, einer für das Dunkel, einer für Papier, und einer, in dem man *nichts* tut.",
            ),
          ],
        },
        galleryOf(names, "Aus dem Archiv"),
      ],
    }),
  },
  about: {
    values: (names) => ({
      headline: "Four rooms by the lake",
      plan: names.get("floor-plan.svg"),
      openingHours: { tuesday: "10–18", saturday: "10–16" },
      sections: [
        {
          _type: "story",
          text: [
            paragraph("The studio has north light. The darkroom has none."),
            linked("Write to us: ", "house@example.com", { href: "mailto:house@example.com" }),
          ],
        },
        { _type: "quote", words: "I know forty papers by touch.", by: names.get("yuki") },
      ],
    }),
    german: () => ({
      headline: "Vier Räume am See",
      sections: [
        { _type: "story", text: [paragraph("Das Studio hat Nordlicht. Die Dunkelkammer hat keines.")] },
      ],
    }),
  },
};
