/** Draws the README's diagram for light and dark pages: `node scripts/run.mjs scripts/readme/diagram.ts`. */
import { writeFileSync } from "node:fs";
import { label, shape, THEMES, type Theme } from "../bench/charts/theme.ts";

const WIDTH = 880;
const HEIGHT = 352;
const FONT = "font-family=\"system-ui,-apple-system,'Segoe UI',sans-serif\"";

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  title: string;
  lines: readonly string[];
  /** Workers are filled, storage is outlined, and everything outside of the service is dashed. */
  kind: "worker" | "storage" | "outside";
}

const BOXES = {
  page: {
    x: 16,
    y: 60,
    width: 184,
    height: 118,
    title: "A page",
    lines: ["<img srcset=", '  "…/pictures/ID?w=1000', '   &auto=format 1000w">'],
    kind: "outside",
  },
  edge: {
    x: 300,
    y: 24,
    width: 236,
    height: 154,
    title: "Edge Worker",
    lines: [
      "checks the request",
      "negotiates AVIF, WebP, master",
      "knows the variant's identity",
      "answers at once, never blocks",
    ],
    kind: "worker",
  },
  storage: {
    x: 644,
    y: 24,
    width: 220,
    height: 154,
    title: "R2 and D1",
    lines: [
      "masters, byte for byte",
      "variants, immutable, 30 days",
      "records, models, keys",
      "bytes first, row second",
    ],
    kind: "storage",
  },
  queue: {
    x: 300,
    y: 238,
    width: 236,
    height: 94,
    title: "SpaceQueue, one per space",
    lines: ["one build at a time", "budgets, leases, failures"],
    kind: "storage",
  },
  builder: {
    x: 644,
    y: 238,
    width: 220,
    height: 94,
    title: "Builder Worker",
    lines: ["decodes, resamples, encodes", "in rows, inside 128 MB"],
    kind: "worker",
  },
} as const satisfies Record<string, Box>;

function box({ x, y, width, height, title, lines, kind }: Box, theme: Theme): string {
  const isWorker = kind === "worker";
  const frame = shape("rect", {
    x,
    y,
    width,
    height,
    rx: 10,
    fill: isWorker ? theme.ramp[0]! : theme.ground,
    stroke: isWorker ? theme.ramp[3]! : theme.rule,
    "stroke-width": 1.5,
    ...(kind === "outside" && { "stroke-dasharray": "5 4" }),
  });
  const code = kind === "outside" ? { class: "code" } : {};
  const text = lines.map((line, i) =>
    label(x + 16, y + 54 + i * 22, line, { fill: theme.muted, "font-size": 13, ...code }),
  );
  const head = label(x + 16, y + 28, title, { fill: theme.text, "font-size": 15, "font-weight": 600 });
  return [frame, head, ...text].join("");
}

type Point = readonly [x: number, y: number];

/** Draws an arrow of straight lines, with its label above `at`. */
function arrow(points: readonly Point[], text: string, at: Point, theme: Theme, anchor = "middle"): string {
  const line = shape("polyline", {
    points: points.map(([x, y]) => `${x},${y}`).join(" "),
    fill: "none",
    stroke: theme.ramp[3]!,
    "stroke-width": 1.8,
    "marker-end": "url(#head)",
  });
  const [x, y] = at;
  return line + label(x, y, text, { fill: theme.text, "font-size": 12.5, "text-anchor": anchor });
}

function diagram(theme: Theme): string {
  const head = `<marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto"><path d="M0 0L9 4L0 8Z" fill="${theme.ramp[3]!}"/></marker>`;
  const arrows = [
    arrow(
      [
        [200, 88],
        [298, 88],
      ],
      "GET",
      [249, 80],
      theme,
    ),
    arrow(
      [
        [300, 126],
        [202, 126],
      ],
      "302 variant",
      [251, 118],
      theme,
    ),
    arrow(
      [
        [300, 158],
        [202, 158],
      ],
      "or master",
      [251, 150],
      theme,
    ),
    arrow(
      [
        [536, 88],
        [642, 88],
      ],
      "look up",
      [590, 80],
      theme,
    ),
    arrow(
      [
        [340, 178],
        [340, 236],
      ],
      "not there yet: build it",
      [350, 212],
      theme,
      "start",
    ),
    arrow(
      [
        [536, 276],
        [642, 276],
      ],
      "order, master",
      [590, 268],
      theme,
    ),
    arrow(
      [
        [644, 306],
        [538, 306],
      ],
      "variant",
      [591, 298],
      theme,
    ),
    arrow(
      [
        [516, 238],
        [516, 208],
        [754, 208],
        [754, 180],
      ],
      "bytes, then row",
      [640, 201],
      theme,
    ),
  ];
  const title =
    "A page asks the edge Worker for a picture. It redirects to the variant when there is one, to the master until then, and a queue has the builder Worker make it.";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" ${FONT} role="img" aria-label="${title}">
<defs>${head}<style>.code{font:11px ui-monospace,SFMono-Regular,Menlo,monospace;white-space:pre}</style></defs>
${shape("rect", { width: WIDTH, height: HEIGHT, fill: theme.ground, rx: 12 })}
${Object.values(BOXES)
  .map((each) => box(each, theme))
  .join("\n")}
${arrows.join("\n")}
</svg>
`;
}

for (const name of ["light", "dark"] as const) {
  writeFileSync(new URL(`diagram-${name}.svg`, import.meta.url), diagram(THEMES[name]));
}
