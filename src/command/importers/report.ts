/** The words about a move: the models that it makes, everything that is lost, and what became of it. */
import type { Colours } from "../terminal/output.ts";
import { plural } from "../base/plural.ts";
import type { Loss } from "./losses.ts";
import type { Site, SiteField, SiteModel } from "./site.ts";
import type { Written } from "./write/write.ts";

/** The models and records that would be made, and everything that is lost. */
export interface Preview {
  system: string;
  locales: Site["locales"];
  models: SiteModel[];
  records: number;
  pictures: number;
  losses: Loss[];
}

const LISTED_MAX = 20;

function fieldWords(field: SiteField): string {
  const { name, type } = field;
  const listed = (option: string): string =>
    Array.isArray(field[option]) ? (field[option] as string[]).join(", ") : "";
  const targets: Record<string, string> = {
    relation: ` to ${field["to"] as string}`,
    component: ` of ${field["component"] as string}`,
    blocks: ` of ${listed("components")}`,
    enum: ` of ${listed("values")}`,
  };
  const options = ["required", "unique", "localized"].filter((option) => field[option] === true);
  const words = [
    `${type}${field["multiple"] === true ? " list" : ""}${targets[type] ?? ""}`,
    ...options,
    ...(type === "richtext" && listed("components") !== "" ? [`with ${listed("components")}`] : []),
  ];
  return `    ${name}: ${words.join(", ")}`;
}

function modelWords({ typeModel, name, fields, drafts }: SiteModel, { bold, dim }: Colours): string {
  const kind = `${typeModel}${drafts === true ? ", with drafts" : ""}`;
  return [`  ${bold(name)} ${dim(`(${kind})`)}`, ...fields.map(fieldWords)].join("\n");
}

function lossWords({ reason, count, places }: Loss, { dim }: Colours): string {
  const more = count > places.length ? [dim(`    and ${count - places.length} more`)] : [];
  return [`  ${count} × ${reason}`, ...places.map((place) => dim(`    ${place}`)), ...more].join("\n");
}

export function previewWords(preview: Preview, lossesPath: string, colours: Colours): string {
  const { locales, models, records, pictures, losses } = preview;
  const languages = locales.length === 0 ? "one language" : locales.map(({ code }) => code).join(", ");
  const all = losses.reduce((sum, { count }) => sum + count, 0);
  const lost =
    all === 0
      ? ["Nothing is lost."]
      : [
          colours.bold(`What is lost or changed (${all} in all, each in ${lossesPath}):`),
          ...losses.map((loss) => lossWords(loss, colours)),
        ];
  return [
    `${plural(records, "record")}, ${plural(pictures, "picture")}, ${languages}.`,
    "",
    colours.bold(`Models (${models.length}):`),
    ...models.map((model) => modelWords(model, colours)),
    "",
    ...lost,
    "",
  ].join("\n");
}

/** Returns some lines, and how many there are beside them. */
function some(lines: readonly string[]): string[] {
  const shown = lines.slice(0, LISTED_MAX).map((line) => `  ${line}`);
  return lines.length > LISTED_MAX
    ? [...shown, `  and ${lines.length - LISTED_MAX} more (--json lists all)`]
    : shown;
}

export function writtenWords(written: Written, space: string, colours: Colours): string {
  const { records, media, missing, refused, different } = written;
  const lines = [
    `In ${space}: ${plural(media.imported, "picture")} and ${plural(records.imported, "line")} of records are imported, ` +
      `${media.unchanged} and ${records.unchanged} were there already.`,
  ];
  if (missing.length > 0) {
    lines.push(colours.yellow(`${plural(missing.length, "file")} could not be had:`));
    lines.push(...some(missing.map(({ address, reason }) => `${address}: ${reason}`)));
  }
  if (refused.length > 0) {
    lines.push(colours.red(`${plural(refused.length, "record")} did not fit:`));
    lines.push(...some(refused.map(({ record, path, message }) => `${record} ${path}: ${message}`)));
  }
  if (different.length > 0) {
    lines.push(
      `Left as they are, because they were changed in the space since an earlier run (${plural(different.length, "record")}):`,
    );
    lines.push(...some(different));
  }
  const mayComeLater = missing.some((one) => one.mayComeLater);
  if (mayComeLater) lines.push("Run the same command again to try the missing files once more.");
  return `${lines.join("\n")}\n`;
}
