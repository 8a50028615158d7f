/** The demo's content: the website of a small photo house. */

/** Ids by name: the demo's own names of records, and file names of media. */
export type Names = ReadonlyMap<string, string>;

interface DemoModel {
  typeModel: "collections" | "pages";
  name: string;
  label: string;
  description: string;
  titleField?: string;
  /** Its records are published after they are made. */
  drafts?: true;
  fields: object[];
}

interface DemoRecord {
  model: string;
  /** The name by which other records of the demo refer to it. */
  word?: string;
  /** The values of its fields. @param names ids of the records and media made before */
  values: (names: Names) => Record<string, unknown>;
}

const required = true;

export const MODELS: readonly DemoModel[] = [
  {
    typeModel: "collections",
    name: "people",
    label: "People",
    description: "Who writes and takes pictures",
    titleField: "name",
    fields: [
      { name: "name", label: "Name", type: "string", required, unique: true, searchable: true },
      { name: "role", label: "Role", type: "enum", values: ["Photographer", "Writer", "Printer"] },
      { name: "about", label: "About", type: "text", searchable: true },
      { name: "portrait", label: "Portrait", type: "media" },
    ],
  },
  {
    typeModel: "collections",
    name: "articles",
    label: "Articles",
    description: "The journal of the house",
    titleField: "title",
    drafts: true,
    fields: [
      { name: "title", label: "Title", type: "string", required, searchable: true, maxLength: 120 },
      {
        name: "slug",
        label: "Address",
        type: "string",
        required,
        unique: true,
        pattern: "^[a-z0-9-]+$",
        description: "The last part of the page's address: a-z, 0-9 and -",
      },
      { name: "summary", label: "Summary", type: "text", searchable: true, maxLength: 300 },
      { name: "body", label: "Text", type: "text", searchable: true, description: "Markdown" },
      { name: "cover", label: "Cover", type: "media" },
      { name: "author", label: "Author", type: "relation", to: "people" },
      { name: "topic", label: "Topic", type: "enum", values: ["Light", "Paper", "Places"] },
      { name: "writtenOn", label: "Written on", type: "datetime" },
      { name: "minutes", label: "Minutes to read", type: "number", integer: true, min: 1 },
      { name: "featured", label: "Featured", type: "boolean", default: false },
    ],
  },
  {
    typeModel: "collections",
    name: "prints",
    label: "Prints",
    description: "What the shop sells",
    titleField: "title",
    fields: [
      { name: "title", label: "Title", type: "string", required, searchable: true },
      { name: "picture", label: "Picture", type: "media", required },
      { name: "by", label: "By", type: "relation", to: "people" },
      { name: "price", label: "Price", type: "number", min: 0, description: "In francs" },
      { name: "edition", label: "Edition", type: "number", integer: true, min: 1 },
      { name: "sizes", label: "Sizes", type: "json", description: "In centimetres" },
    ],
  },
  {
    typeModel: "pages",
    name: "home",
    label: "Home page",
    description: "What visitors see first",
    titleField: "headline",
    fields: [
      { name: "headline", label: "Headline", type: "string" },
      { name: "lead", label: "Lead", type: "text" },
      { name: "hero", label: "Large picture", type: "media" },
      { name: "featured", label: "Featured articles", type: "relation", to: "articles", multiple: true },
    ],
  },
  {
    typeModel: "pages",
    name: "about",
    label: "About us",
    description: "The house and how to find it",
    titleField: "headline",
    fields: [
      { name: "headline", label: "Headline", type: "string" },
      { name: "text", label: "Text", type: "text" },
      { name: "plan", label: "Floor plan", type: "media" },
      { name: "openingHours", label: "Opening hours", type: "json" },
    ],
  },
];

const person = (word: string, name: string, role: string, about: string, portrait?: string): DemoRecord => ({
  model: "people",
  word,
  values: (names) => ({ name, role, about, portrait: portrait ? names.get(portrait) : null }),
});

interface Article {
  title: string;
  topic: string;
  author: string;
  cover: string;
  day: string;
  minutes: number;
  summary: string;
  featured?: boolean;
}

const article = ({ title, author, cover, day, featured = false, ...more }: Article): DemoRecord => {
  const slug = title.toLowerCase().replaceAll(/[^a-z]+/g, "-");
  return {
    model: "articles",
    word: slug,
    values: (names) => ({
      ...more,
      title,
      slug,
      featured,
      writtenOn: `${day}T08:00:00Z`,
      author: names.get(author),
      cover: names.get(cover),
      body: `# ${title}\n\n${more.summary}\n\nThe rest of this story is yours to write: this is the demo space.`,
    }),
  };
};

const print = (title: string, picture: string, by: string, price: number, edition: number): DemoRecord => ({
  model: "prints",
  values: (names) => ({
    title,
    price,
    edition,
    picture: names.get(picture),
    by: names.get(by),
    sizes: [
      { width: 30, height: 20 },
      { width: 60, height: 40 },
    ],
  }),
});

/** The records. Each refers only to earlier ones. */
export const RECORDS: readonly DemoRecord[] = [
  person("ines", "Inès Rochat", "Photographer", "Walks at dusk with a large camera.", "dunes.webp"),
  person("matteo", "Matteo Gallo", "Writer", "Writes about what others walk past.", "leaves.jpg"),
  person("yuki", "Yuki Tanaka", "Printer", "Knows forty papers by touch.", "mark.png"),
  article({
    title: "Waiting for the last light",
    topic: "Light",
    author: "ines",
    cover: "hills-at-dusk.jpg",
    day: "2026-09-02",
    minutes: 6,
    summary: "Ten minutes after sunset the hills lose their edges, and the picture begins.",
    featured: true,
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
  }),
  article({
    title: "What paper does to black",
    topic: "Paper",
    author: "yuki",
    cover: "leaves.jpg",
    day: "2026-10-05",
    minutes: 8,
    summary: "Baryta, cotton, kozo: the same negative printed three times.",
  }),
  article({
    title: "Counting dunes",
    topic: "Places",
    author: "matteo",
    cover: "dunes.webp",
    day: "2026-10-21",
    minutes: 5,
    summary: "There are six in the picture, and none of them is there any more.",
  }),
  article({
    title: "Why things bounce",
    topic: "Light",
    author: "matteo",
    cover: "ball.gif",
    day: "2026-11-09",
    minutes: 3,
    summary: "Twelve frames are enough to believe in weight.",
  }),
  print("Hills at dusk", "hills-at-dusk.jpg", "ines", 240, 25),
  print("Morning sea", "morning-sea.avif", "ines", 180, 40),
  print("Dunes", "dunes.webp", "ines", 320, 12),
];

export const PAGES: Readonly<Record<string, (names: Names) => Record<string, unknown>>> = {
  home: (names) => ({
    headline: "A house for photographs",
    lead: "We take, print and keep pictures. Come in: the kettle is on.",
    hero: names.get("hills-at-dusk.jpg"),
    featured: [names.get("waiting-for-the-last-light"), names.get("a-calm-sea-is-not-empty")],
  }),
  about: (names) => ({
    headline: "Four rooms by the lake",
    text: "The studio has north light. The darkroom has none.",
    plan: names.get("floor-plan.svg"),
    openingHours: { tuesday: "10–18", saturday: "10–16" },
  }),
};
