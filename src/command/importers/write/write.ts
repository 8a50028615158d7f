/** Writes a site into a space: files, locales, media, models, then records. A second run changes nothing that is there. */
import type {
  ImportLine,
  ImportResult,
  PublishedLine,
  RecordLine,
  RefusedLine,
} from "../../../exchange/lines.ts";
import { Failure } from "../../base/failure.ts";
import { Losses } from "../losses.ts";
import type { Site, SiteAsset } from "../site.ts";
import { gatherFiles, type Gathered, type Missing, type Web } from "./gather.ts";
import { Journal } from "./journal.ts";
import { mediaLine, recordLines, type Target } from "./lines.ts";
import { documentFor, type Space } from "./space.ts";

/** The result of a run. */
export interface Written {
  /** Lines of records: one of each, and one of each published content. */
  records: { imported: number; unchanged: number };
  media: { imported: number; unchanged: number };
  /** Files that could not be had, or that the service refused. Another run tries those again that may come later. */
  missing: { address: string; reason: string; mayComeLater: boolean }[];
  /** Records that the service refused. */
  refused: { record: string; path: string; message: string }[];
  /** Records that an editor has changed in the space since an earlier run, and that were left as they are. */
  different: string[];
}

export interface Progress {
  step(words: string, total: number): void;
  advance(): void;
}

/** The size of one body of an import: far below the 8 MB that the service takes. */
const BATCH_BYTES = 2 * 1024 * 1024;
const BATCH_LINES = 250;
const DIFFERS = "DIFFERS";

export class Writing {
  readonly #site: Site;
  readonly #space: Space;
  readonly #folder: string;
  readonly #web: Web;
  readonly #progress: Progress;
  readonly #missing = new Map<string, Missing>();
  readonly #journal: Journal;
  readonly #written: Written = {
    ...{ records: { imported: 0, unchanged: 0 }, media: { imported: 0, unchanged: 0 } },
    ...{ missing: [], refused: [], different: [] },
  };

  constructor(site: Site, space: Space, folder: string, web: Web, progress: Progress) {
    this.#site = site;
    this.#space = space;
    this.#folder = folder;
    this.#journal = new Journal(folder);
    this.#web = web;
    this.#progress = progress;
  }

  async run(): Promise<Written> {
    const { assets } = this.#site;
    const present = await this.#space.media();
    const wanted = assets.filter(({ id, isPicture }) => isPicture && !present.has(id));
    this.#written.media.unchanged = assets.filter(({ id }) => present.has(id)).length;
    this.#progress.step("Files", wanted.length);
    const { files, missing } = await gatherFiles(wanted, this.#folder, this.#web, () =>
      this.#progress.advance(),
    );
    for (const [id, one] of missing) this.#missing.set(id, one);
    const locales = await this.#makeLocales();
    await this.#sendMedia(wanted, files, locales);
    // The models come behind the media: a field may only be required if the service has taken the pictures in it.
    const models = await this.#makeModels();
    await this.#sendRecords({ locales, models });
    const addresses = new Map(assets.map(({ id, address }) => [id, address]));
    for (const [id, one] of this.#missing)
      this.#written.missing.push({ address: addresses.get(id) ?? id, ...one });
    return this.#written;
  }

  /** The reason for each file that is missing. */
  get #reasons(): Map<string, string> {
    return new Map([...this.#missing].map(([id, { reason }]) => [id, reason]));
  }

  async #makeLocales(): Promise<Target["locales"]> {
    const present = { models: new Map<string, never>(), locales: await this.#space.locales() };
    const document = documentFor({ models: [], locales: this.#site.locales }, present);
    if (document.settings) await this.#space.apply(document);
    return (await this.#space.locales()).map(({ code }) => code);
  }

  async #makeModels(): Promise<Target["models"]> {
    if (this.#missing.size > 0) {
      // A field that lacks a picture cannot be required, which the site finds by a further look at its records.
      const records = this.#site.records(this.#reasons, new Losses())[Symbol.asyncIterator]();
      while ((await records.next()).done !== true);
    }
    const models = this.#site.models();
    const present = { models: await this.#space.models(), locales: [] };
    this.#progress.step("Models", models.length);
    await this.#space.apply(documentFor({ models, locales: [] }, present));
    return this.#space.models();
  }

  async #sendMedia(
    assets: readonly SiteAsset[],
    files: ReadonlyMap<string, Gathered>,
    locales: Target["locales"],
  ): Promise<void> {
    const here = assets.filter(({ id }) => files.has(id));
    this.#progress.step("Media", here.length);
    for (let from = 0; from < here.length; from += BATCH_LINES) {
      const some = here.slice(from, from + BATCH_LINES);
      const { refused } = await this.#space.send(
        some.map((asset) => mediaLine(asset, files.get(asset.id)!, locales)),
      );
      for (const { line, message } of refused) {
        const { id } = some[line - 1]!;
        this.#missing.set(id, { reason: message, mayComeLater: true });
      }
      for (const { id } of some) {
        if (!this.#missing.has(id)) await this.#sendFile(id, files.get(id)!);
        this.#progress.advance();
      }
    }
  }

  async #sendFile(id: string, file: Gathered): Promise<void> {
    this.#journal.addMedia(id);
    try {
      await this.#space.sendFile(id, file);
      this.#written.media.imported += 1;
    } catch (error) {
      if (!(error instanceof Failure) || error.status === null || error.status >= 500) throw error;
      this.#missing.set(id, {
        reason: error.message,
        mayComeLater: error.status !== 400 && error.status !== 415,
      });
    }
  }

  async #sendRecords(target: Target): Promise<void> {
    await this.#restoreRemoved();
    this.#progress.step("Records", this.#site.recordCount);
    let batch: (RecordLine | PublishedLine)[] = [];
    let bytes = 0;
    for await (const record of this.#site.records(this.#reasons, new Losses())) {
      const lines = recordLines(record, target);
      const size = lines.reduce((sum, line) => sum + JSON.stringify(line).length, 0);
      if (batch.length > 0 && (bytes + size > BATCH_BYTES || batch.length + lines.length > BATCH_LINES)) {
        await this.#sendBatch(batch);
        batch = [];
        bytes = 0;
      }
      batch.push(...lines);
      bytes += size;
      this.#progress.advance();
    }
    if (batch.length > 0) await this.#sendBatch(batch);
  }

  async #sendBatch(lines: readonly (RecordLine | PublishedLine)[]): Promise<void> {
    const result = await this.#space.send(lines);
    this.#count(lines, result);
    const differing = this.#recordsAt(
      lines,
      result.refused.filter(({ message }) => message.startsWith(DIFFERS)),
    );
    const completed = new Set<string>();
    for (const id of differing) {
      if (await this.#mayComplete(lines, id)) completed.add(id);
      else this.#written.different.push(nameOf(lines, id));
    }
    if (completed.size === 0) return;
    await this.#complete(lines.filter(({ id }) => completed.has(id)));
  }

  /** Brings records back that a killed run has removed and not yet brought in anew. */
  async #restoreRemoved(): Promise<void> {
    const removed = this.#journal.records();
    if (removed.length === 0) return;
    for (const line of removed) if (line.kind === "record") await this.#space.removeFromTrash(line);
    // A record that is still there, or was changed, is looked at with all other records.
    await this.#space.send(removed);
    this.#journal.forgetRecords();
  }

  /** Brings records in anew that lacked a picture. A page cannot be removed, so it gets a new version instead. */
  async #complete(lines: readonly (RecordLine | PublishedLine)[]): Promise<void> {
    const records = lines.filter((line): line is RecordLine => line.kind === "record");
    const anew = lines.filter(({ typeModel }) => typeModel !== "pages");
    if (anew.length > 0) {
      this.#journal.setRecords(anew);
      const changed = new Set<string>();
      for (const record of records)
        if (record.typeModel !== "pages" && !(await this.#space.remove(record))) changed.add(record.id);
      for (const id of changed) this.#written.different.push(nameOf(lines, id));
      const removed = anew.filter(({ id }) => !changed.has(id));
      this.#count(removed, await this.#space.send(removed));
      this.#journal.forgetRecords();
    }
    const pages = records.filter(({ typeModel }) => typeModel === "pages");
    if (pages.length === 0) return;
    this.#count(pages, await this.#space.send(pages, true));
    for (const page of pages) if (page.publishedVersion === page.version) await this.#space.publish(page);
  }

  #recordsAt(lines: readonly ImportLine[], refused: readonly RefusedLine[]): Set<string> {
    return new Set(refused.map(({ line }) => (lines[line - 1] as RecordLine).id));
  }

  #count(
    lines: readonly (RecordLine | PublishedLine)[],
    { imported, unchanged, refused }: ImportResult,
  ): void {
    this.#written.records.imported += imported;
    this.#written.records.unchanged += unchanged;
    const at = new Map(refused.map((one) => [one.line, one]));
    for (const [index, line] of lines.entries()) {
      const one = at.get(index + 1);
      if (one && !one.message.startsWith(DIFFERS)) {
        const record = `${line.model} ${line.data["sourceId"] as string}`;
        this.#written.refused.push({ record, path: one.path, message: one.message });
      }
    }
  }

  /** Returns whether a record lacks a picture that came since, and no editor has changed the record meanwhile. */
  async #mayComplete(lines: readonly (RecordLine | PublishedLine)[], id: string): Promise<boolean> {
    const own = lines.filter((line) => line.id === id);
    const media = this.#journal.media();
    if (!own.some(({ data }) => namesOneOf(data, media))) return false;
    const record = own.find((line) => line.kind === "record");
    return record !== undefined && (await this.#space.isUntouched(record));
  }
}

const nameOf = (lines: readonly (RecordLine | PublishedLine)[], id: string): string => {
  const line = lines.find((one) => one.id === id);
  return `${line?.model ?? ""} ${(line?.data["sourceId"] ?? id) as string}`;
};

/** Returns whether a value holds one of some ids. */
function namesOneOf(value: unknown, ids: ReadonlySet<string>): boolean {
  if (typeof value === "string") return ids.has(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((member) => namesOneOf(member, ids));
}
