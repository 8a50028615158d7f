/** Writes the results as Markdown: a summary by format, and a page with every cell. */
import { ISOLATE, MEGABYTE_BYTES } from "../../../src/limits.ts";
import { PEER_FORMATS, type PeerFormat } from "../peer-formats.ts";
import { median } from "../figures.ts";
import type { Megapixels } from "../masters.ts";
import { WIDTHS, widthsOf, type Built, type Cell, type Result } from "./cells.ts";
import { PSNR_MIN } from "./defects.ts";
import { FORMAT_LABELS } from "./labels.ts";
import { MASTERS, type MasterKind } from "./masters.ts";
import type { Results } from "./results.ts";

type BuiltCell = Cell & Built;

const isBuilt = (result: Result): result is BuiltCell => result.outcome === "built";
const inMegabytes = (bytes: number): string => (bytes / MEGABYTE_BYTES).toFixed(0);
const inSeconds = (ms: number): string => (ms < 9950 ? (ms / 1000).toPrecision(2) : (ms / 1000).toFixed(0));

/** Rounded to two digits: "56 ms", "120 ms", "1.4 s". */
export const time = (ms: number): string =>
  ms < 995 ? `${Number(ms.toPrecision(2))} ms` : `${inSeconds(ms)} s`;

/** "9–58 MB", or "9 MB" if both ends round to the same. */
function span(values: number[], write: (value: number) => string, unit: string): string {
  const [low, high] = [write(Math.min(...values)), write(Math.max(...values))];
  return `${low === high ? low : `${low}–${high}`} ${unit}`;
}

const title = (kind: MasterKind, megapixels: Megapixels): string =>
  kind.name === "svg" ? kind.label : `${kind.label}, ${megapixels} MP`;

/** One master in one format, at all widths. */
function summary(cells: Result[]): string {
  const built = cells.filter(isBuilt);
  const overLimit = cells.some(({ outcome }) => outcome === "over-limit");
  const unfit = cells.filter(({ outcome }) => outcome !== "built" && outcome !== "over-limit");
  const notes = `${overLimit ? "¹" : ""}${unfit.length > 0 ? "²" : ""}`;
  if (built.length === 0) return `–${notes}`;
  const ratios = built.flatMap(({ toSharp }) => (toSharp === null ? [] : [toSharp]));
  const upTo = notes === "" ? "" : ` to ${Math.max(...built.map(({ width }) => width))}${notes}`;
  const figures = [
    span(
      built.map(({ ms }) => ms),
      inSeconds,
      "s",
    ),
    span(
      built.map(({ peakBytes }) => peakBytes),
      inMegabytes,
      "MB",
    ),
    ...(ratios.length > 0 ? [`×${median(ratios).toFixed(1)}`] : []),
  ];
  return `✓${upTo} ${figures.join(", ")}`;
}

function rows(
  results: Results,
  cellOf: (kind: MasterKind, megapixels: Megapixels, format: PeerFormat) => string,
): string[] {
  const head = ["master", ...PEER_FORMATS.map((format) => FORMAT_LABELS[format])];
  const body = MASTERS.flatMap((kind) =>
    kind.megapixels
      .filter((megapixels) =>
        results.cells.some((cell) => cell.master === kind.name && cell.megapixels === megapixels),
      )
      .map((megapixels) => [
        title(kind, megapixels),
        ...PEER_FORMATS.map((format) => cellOf(kind, megapixels, format)),
      ]),
  );
  return [head, head.map(() => "---"), ...body].map((row) => `| ${row.join(" | ")} |`);
}

/** The README's table: one line per master, one column per format. */
export function summaryTable(results: Results): string {
  const lines = rows(results, (kind, megapixels, format) =>
    summary(
      results.cells.filter(
        (cell) => cell.master === kind.name && cell.megapixels === megapixels && cell.format === format,
      ),
    ),
  );
  return lines.join("\n");
}

function detail(result: Result | undefined): string {
  if (!result) return "";
  if (isBuilt(result)) {
    const ratio = result.toSharp === null ? "" : `, ×${result.toSharp.toPrecision(2)}`;
    return `✓ ${time(result.ms)}, ${inMegabytes(result.peakBytes)} MB${ratio}`;
  }
  if (result.outcome === "failed") return "– too long";
  if (result.predictedBytes === null) return "– limit";
  return `– ${inMegabytes(result.predictedBytes)} MB`;
}

/** The page beside results.json: one table per width. */
export function detailPage(results: Results): string {
  const { processor, cores, node, sharp } = results.machine;
  const compared = results.cells.filter(isBuilt).flatMap(({ psnr }) => (psnr === null ? [] : [psnr]));
  const sections = WIDTHS.map((width) => {
    const lines = rows(results, (kind, megapixels, format) => {
      if (!widthsOf(kind, megapixels).includes(width)) return "";
      const found = results.cells.find(
        (cell) =>
          cell.master === kind.name &&
          cell.megapixels === megapixels &&
          cell.format === format &&
          cell.width === width,
      );
      return detail(found);
    });
    return `## w=${width}\n\n${lines.join("\n")}`;
  });
  return `# The matrix, cell by cell

Written by \`npm run bench matrix\` from \`results.json\`: one core of ${cores} (${processor}), Node ${node}, sharp ${sharp}.
q 80. Time and memory are those of one build, memory by the build's own count, without the ${inMegabytes(ISOLATE.reserveBytes)} MB of the reserve. × is
processor time over sharp's for the same work with one thread; it is left out for AVIF of more than a megapixel, on
which sharp takes minutes. A dash is not built: with megabytes, what it would need of ${inMegabytes(ISOLATE.buildBytes)}; "limit", over a limit of the
service; "too long", its file, of which the plan knows no more than what photographs come to, did not fit. A master narrower than a width gives its own width, in the first column that it does not fill.

All ${results.cells.filter(isBuilt).length} files were decoded by sharp and compared with sharp's resize of the same master: the
least alike is ${compared.length > 0 ? Math.min(...compared).toFixed(1) : "–"} dB from it (no less than ${PSNR_MIN.lossless} for PNG, ${PSNR_MIN.lossy} for what loses, ${PSNR_MIN.vector} for SVG, which two renderers draw).

${sections.join("\n\n")}
`;
}
