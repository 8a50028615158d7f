/** Summarises the measurements: medians and worst cases per format, kind, width, quality and peer. */
import { median } from "../figures.ts";
import type { Measured, Ours } from "./measure.ts";

type Cell = string | number;

const HEAD = [
  "format",
  "kind",
  "width",
  "q",
  "score",
  "peer",
  "bytes",
  "worst",
  "by Butteraugli",
  "by DSSIM",
  "time",
  "pictures",
];

const kept = (values: (number | null)[]): number[] => values.filter((value) => value !== null);

const shown = (values: number[], of: (values: number[]) => number): string =>
  values.length > 0 ? of(values).toFixed(3) : "beyond";

const worst = (values: number[]): number => Math.max(...values);

/** Groups keep the order of their first entries. */
function grouped<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups.values()];
}

function rowsOf(group: { of: Measured; own: Ours }[], width: Cell): Cell[][] {
  const { of, own } = group[0]!;
  return Object.keys(own.against).map((peer) => {
    const ratios = kept(group.map(({ own }) => own.against[peer]!.bySsimulacra2));
    const byButteraugli = kept(group.map(({ own }) => own.against[peer]!.byButteraugli));
    const byDssim = kept(group.map(({ own }) => own.against[peer]!.byDssim));
    const score = median(group.map(({ own }) => own.score)).toFixed(1);
    const times = kept(group.map(({ own }) => own.against[peer]!.time));
    const bytes = [
      shown(ratios, median),
      shown(ratios, worst),
      // Its program is not installed everywhere.
      group.every(({ own }) => own.butteraugli === null) ? "–" : shown(byButteraugli, median),
      shown(byDssim, median),
    ];
    const figures = [...bytes, times.length > 0 ? median(times).toFixed(2) : "beyond", ratios.length];
    return [of.format, of.kind, width, own.quality, score, peer, ...figures];
  });
}

/**
 * Returns one row per format, quality and peer, over all widths: for the page.
 * @param nameOf the name of a peer on the page
 */
export function overall(
  results: readonly Measured[],
  nameOf: (format: Measured["format"], peer: string) => string,
): Cell[][] {
  const all = results.flatMap((of) => of.ours.map((own) => ({ of, own })));
  const groups = grouped(all, ({ of, own }) => `${of.format} ${own.quality}`);
  const rows = groups.flatMap((group) =>
    rowsOf(group, "all").map(
      ([format, , , q, score, peer, bytes, worst, byButteraugli, byDssim, , count]) => [
        ...[format!, q!, score!, nameOf(group[0]!.of.format, String(peer))],
        ...[bytes!, worst!, byButteraugli!, byDssim!, count!],
      ],
    ),
  );
  const head = [
    "format",
    "q",
    "SSIMULACRA 2",
    "against",
    "bytes",
    "worst",
    "by Butteraugli",
    "by DSSIM",
    "variants",
  ];
  return [head, ...rows];
}

/** Returns ratios of our bytes to the peer's at the same quality. Below 1, ours are fewer. */
export function summary(results: readonly Measured[]): Cell[][] {
  const all = results.flatMap((of) => of.ours.map((own) => ({ of, own })));
  const byWidth = grouped(all, ({ of, own }) => `${of.format} ${of.kind} ${of.width} ${own.quality}`);
  const overall = grouped(all, ({ of, own }) => `${of.format} ${of.kind} ${own.quality}`);
  return [
    HEAD,
    ...byWidth.flatMap((group) => rowsOf(group, group[0]!.of.width)),
    ...overall.flatMap((group) => rowsOf(group, "all")),
  ];
}
