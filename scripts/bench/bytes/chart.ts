/** Charts quality against bits per pixel over photographs, ours and the peers', for light and dark pages. */
import { label, path, shape, THEMES, type Theme } from "../charts/theme.ts";
import { median } from "../figures.ts";
import type { Measured } from "./measure.ts";
import type { LossyFormat } from "./peers.ts";

const PANEL = { width: 250, height: 240, gap: 40, left: 46, top: 56 };
const SCORES = [60, 65, 70, 75, 80, 85, 90, 95, 100];
const TICKS = [0.25, 0.5, 1, 2, 4, 8];
const [LEAST_BITS, MOST_BITS] = [0.2, 10];
/** The title takes this much. */
const MIN_WIDTH = 700;
const TITLES: Record<LossyFormat, string> = { jpeg: "JPEG", webp: "WebP", avif: "AVIF" };

type At = readonly [bits: number, score: number];

const bitsOf = (bytes: number, { width, height }: Measured): number => (8 * bytes) / (width * height);

/**
 * Returns the bits per pixel at each score of the axis: the median over the pictures whose curve reaches that score.
 */
function curveOf(results: readonly Measured[], peer: string): At[] {
  return SCORES.flatMap((score) => {
    const bits = results.flatMap((result) => {
      const points = result.peers[peer] ?? [];
      const above = points.findIndex((point) => point.score >= score);
      if (above < 1) return [];
      const [low, high] = [points[above - 1]!, points[above]!];
      const share = (score - low.score) / (high.score - low.score);
      return [bitsOf(low.bytes * (high.bytes / low.bytes) ** share, result)];
    });
    return bits.length * 2 >= results.length ? [[median(bits), score] as const] : [];
  });
}

/** Returns the medians of our qualities. */
function oursOf(results: readonly Measured[]): At[] {
  return (results[0]?.ours ?? []).map((_, i) => [
    median(results.map((result) => bitsOf(result.ours[i]!.bytes, result))),
    median(results.map((result) => result.ours[i]!.score)),
  ]);
}

function panel(left: number, results: readonly Measured[], theme: Theme): string[] {
  const { width, height, top } = PANEL;
  const x = (bits: number): number =>
    left + (Math.log(bits / LEAST_BITS) / Math.log(MOST_BITS / LEAST_BITS)) * width;
  const y = (score: number): number =>
    top + height * (1 - (score - SCORES[0]!) / (SCORES.at(-1) - SCORES[0]!));
  const place = ([bits, score]: At): [number, number] => [x(bits), y(score)];
  const small = { class: "tick", fill: theme.muted };
  const peers = Object.keys(results[0]!.peers);
  const qualities = results[0]!.ours.map(({ quality }) => quality).join(", ");
  return [
    label(left, top - 10, TITLES[results[0]!.format], { class: "head" }),
    ...SCORES.flatMap((score) => [
      shape("line", { x1: left, x2: left + width, y1: y(score), y2: y(score), stroke: theme.rule }),
      label(left - 6, y(score) + 3.5, String(score), { ...small, "text-anchor": "end" }),
    ]),
    ...TICKS.map((bits) =>
      label(x(bits), top + height + 14, String(bits), { ...small, "text-anchor": "middle" }),
    ),
    ...peers.flatMap((peer, i) => {
      const colour = theme.widths[i % theme.widths.length]!;
      const key = top + height + 34 + i * 14;
      return [
        `<path d="${path(curveOf(results, peer).map(place))}" fill="none" stroke="${colour}" stroke-width="1.6"/>`,
        shape("line", {
          x1: left,
          x2: left + 16,
          y1: key - 4,
          y2: key - 4,
          stroke: colour,
          "stroke-width": 2,
        }),
        label(left + 22, key, peer, { class: "tick" }),
      ];
    }),
    `<path d="${path(oursOf(results).map(place))}" fill="none" stroke="${theme.warning}" stroke-width="2"/>`,
    ...oursOf(results).map((at) =>
      shape("circle", { cx: place(at)[0], cy: place(at)[1], r: 3.2, fill: theme.warning }),
    ),
    label(left + width, top + height + 34, `ours at q ${qualities}`, {
      class: "tick",
      fill: theme.warning,
      "text-anchor": "end",
    }),
  ];
}

export function drawBytesChart(results: readonly Measured[], mode: keyof typeof THEMES): string {
  const theme = THEMES[mode];
  const photographs = results.filter(({ kind }) => kind === "photograph");
  const formats = [...new Set(photographs.map(({ format }) => format))];
  const width = Math.max(MIN_WIDTH, PANEL.left + formats.length * (PANEL.width + PANEL.gap));
  const height = PANEL.top + PANEL.height + 84;
  const shapes = formats.flatMap((format, i) =>
    panel(
      PANEL.left + i * (PANEL.width + PANEL.gap),
      photographs.filter((result) => result.format === format),
      theme,
    ),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" fill="${theme.text}" role="img" aria-label="SSIMULACRA 2 against bits per pixel, ours and other encoders">
<style>
text { font-family: -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
.head { font-size: 13px; font-weight: 600; }
.title { font-size: 12px; }
.tick { font-size: 10px; }
</style>
<rect width="100%" height="100%" fill="${theme.ground}"/>
${label(PANEL.left, 22, "SSIMULACRA 2 against bits per pixel, medians over photographs: further up and to the left is better", { class: "title" })}
${shapes.join("\n")}
</svg>
`;
}
