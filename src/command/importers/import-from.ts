/** `silverprint import --from SYSTEM FILE`: brings a site of another system into a space. */
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { CONTENT } from "../../limits.ts";
import type { Context, Outcome } from "../form/command.ts";
import { Failure } from "../base/failure.ts";
import type { Service } from "../service/service.ts";
import type { Bar, Output } from "../terminal/output.ts";
import { Losses } from "./losses.ts";
import type { Reading } from "./reading.ts";
import { previewWords, writtenWords, type Preview } from "./report.ts";
import type { Site, SiteModel, System } from "./site.ts";
import { readSite } from "./systems.ts";
import type { Web } from "./write/gather.ts";
import { Space } from "./write/space.ts";
import { Writing, type Progress, type Written } from "./write/write.ts";

export interface ImportFrom {
  system: System;
  file: string;
  isDryRun: boolean;
  /** Whether files are fetched from addresses of this machine and of private networks, too. */
  isPrivateAllowed: boolean;
}

/** Reads an export, with a bar of its bytes. */
async function siteOf(system: System, reading: Omit<Reading, "progress">, output: Output): Promise<Site> {
  const bar = output.progress("Reading", statSync(reading.path).size);
  const site = await readSite(system, { ...reading, progress: (bytes, words) => bar.advance(bytes, words) });
  bar.end("The export is read.");
  return site;
}

/** Reads all records once, so that the models and every loss are known before anything is written. */
async function previewOf(site: Site, losses: Losses, output: Output): Promise<Preview> {
  const bar = output.progress("Looking at the records", site.recordCount);
  let records = 0;
  const all = site.records(new Map(), losses)[Symbol.asyncIterator]();
  while ((await all.next()).done !== true) {
    records += 1;
    bar.advance(1);
  }
  bar.end("The records are looked at.");
  site.settle?.(losses);
  const { system, locales, assets } = site;
  checkModels(site.models());
  const pictures = assets.filter(({ isPicture }) => isPicture).length;
  return { system, locales, models: site.models(), records, pictures, losses: losses.list() };
}

/** @throws Failure for more models or fields than the service takes, before anything is fetched or written */
function checkModels(models: readonly SiteModel[]): void {
  if (models.length > CONTENT.modelsPerSpaceMax)
    throw new Failure(
      `The site needs ${models.length} models, and a space has at most ${CONTENT.modelsPerSpaceMax}.`,
      { next: "Take types out of the site's export, and import that." },
    );
  const details = models
    .filter(({ fields }) => fields.length > CONTENT.fieldsPerModelMax)
    .map(({ name, fields }) => ({ path: name, message: `would have ${fields.length} fields` }));
  if (details.length > 0)
    throw new Failure(`A model has at most ${CONTENT.fieldsPerModelMax} fields.`, {
      details,
      next: "Remove fields that nobody uses from the site, or put some into a component, and export it again.",
    });
}

function progressOn(output: Output): Progress & { end(): void } {
  let [bar, of]: [Bar | null, string] = [null, ""];
  return {
    step(words, total) {
      bar?.end(of);
      [bar, of] = [output.progress(words, total), words];
    },
    advance: () => bar?.advance(1),
    end: () => bar?.end(of),
  };
}

const exitCodeOf = ({ missing, refused }: Written): 0 | 1 =>
  refused.length > 0 || missing.some(({ mayComeLater }) => mayComeLater) ? 1 : 0;

/** Writes a site into a space, once the caller agrees. @throws Failure when the space cannot be written to */
async function writeInto(
  site: Site,
  service: Service,
  folder: string,
  { output, web }: { output: Output; web: Web },
): Promise<Written> {
  const space = new Space(service);
  if (output.isInteractive && !(await output.confirm(`Write this into the space ${space.name}?`)))
    throw new Failure("Nothing was written.");
  const progress = progressOn(output);
  const written = await new Writing(site, space, folder, web, progress).run();
  progress.end();
  return written;
}

/** @throws Failure when the file is no export of the system, or the space cannot be written to */
export async function importFrom(
  { output, connect, world }: Pick<Context, "output" | "connect" | "world">,
  { system, file, isDryRun, isPrivateAllowed }: ImportFrom,
): Promise<Outcome> {
  const path = resolve(world.cwd, file);
  if (!existsSync(path)) throw new Failure(`${path} is not there.`, { next: "Give the path of the export." });
  // The address and key of the space are asked for before the reading, which takes a while.
  const service = isDryRun ? null : await connect();
  const folder = `${path}.import`;
  const lossesPath = `${path}.losses.txt`;
  mkdirSync(folder, { recursive: true });
  const losses = new Losses(lossesPath);
  const site = await siteOf(system, { path, folder, losses, now: Date.now() }, output);
  let preview: Preview;
  let written: Written | null = null;
  const words = (): string => previewWords(preview, lossesPath, output.colours);
  try {
    preview = await previewOf(site, losses, output);
    losses.close();
    if (service) {
      output.note(words());
      written = await writeInto(site, service, folder, {
        output,
        web: { fetchFile: world.fetchFile, isPrivateAllowed },
      });
    }
  } finally {
    site.close();
  }
  const exitCode = written ? exitCodeOf(written) : 0;
  if (exitCode === 0) rmSync(folder, { recursive: true, force: true });
  if (!service || !written) return { json: { ...preview, lossesFile: lossesPath }, words: words() };
  return {
    json: { ...preview, lossesFile: lossesPath, written },
    words: writtenWords(written, service.place.space, output.colours),
    exitCode,
  };
}
