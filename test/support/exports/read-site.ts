/** Reads an export of a test as the command does. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Losses } from "../../../src/command/importers/losses.ts";
import type {
  JsonObject,
  Site,
  SiteField,
  SiteModel,
  SiteRecord,
  System,
} from "../../../src/command/importers/site.ts";
import { readSite } from "../../../src/command/importers/systems.ts";

export interface ReadSite {
  site: Site;
  models: SiteModel[];
  records: SiteRecord[];
  losses: Losses;
  /** Returns the record of an id of the source. */
  record(sourceId: string): SiteRecord;
  model(name: string): SiteModel;
  field(model: string, name: string): SiteField | undefined;
  /** Returns the reasons of all losses. */
  reasons(): string[];
}

/** The present time of tests. */
export const NOW = Date.parse("2026-01-01T00:00:00Z");

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), "silverprint-import-"));

export function writeFixture(name: string, text: string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

export async function readExport(
  system: System,
  path: string,
  missing: ReadonlyMap<string, string> = new Map(),
): Promise<ReadSite> {
  const folder = `${path}.import`;
  mkdirSync(folder, { recursive: true });
  const losses = new Losses();
  const site = await readSite(system, { path, folder, losses, now: NOW });
  const records: SiteRecord[] = [];
  for await (const record of site.records(missing, losses)) records.push(record);
  site.settle?.(losses);
  const models = site.models();
  const model = (name: string): SiteModel => {
    const found = models.find((one) => one.name === name);
    if (!found) throw new Error(`no model ${name} among ${models.map((one) => one.name).join(", ")}`);
    return found;
  };
  return {
    ...{ site, models, records, losses, model },
    record(sourceId) {
      const found = records.find((one) => one.sourceId === sourceId);
      if (!found) throw new Error(`no record ${sourceId}`);
      return found;
    },
    field: (name, field) => model(name).fields.find((one) => one.name === field),
    reasons: () => losses.list().map(({ reason }) => reason),
  };
}

/** Returns a rich text as lines: style or type, and the text with its marks. */
export function linesOfText(value: unknown): string[] {
  return (value as JsonObject[]).map((block) => {
    if (block["_type"] !== "block") {
      const members = Object.entries(block).filter(([name]) => name !== "_type" && name !== "_key");
      return `${block["_type"] as string} ${JSON.stringify(Object.fromEntries(members))}`;
    }
    const { style, listItem, level, children, markDefs } = block as unknown as {
      style: string;
      listItem?: string;
      level?: number;
      children: { text: string; marks: string[] }[];
      markDefs: { _key: string; href?: string; record?: string }[];
    };
    const nameOf = (mark: string): string => {
      const def = markDefs.find(({ _key }) => _key === mark);
      return def ? (def.href ?? `record:${def.record ?? ""}`) : mark;
    };
    const spans = children.map(({ text, marks }) =>
      marks.length === 0 ? text : `[${text}](${marks.map(nameOf).join(" ")})`,
    );
    const list = listItem === undefined ? "" : ` ${listItem}${level ?? ""}`;
    return `${style}${list}: ${spans.join("")}`;
  });
}
