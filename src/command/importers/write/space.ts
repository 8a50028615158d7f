/** The space that a site is written into: its models and locales, its media, and the lines of an import. */
import { openAsBlob } from "node:fs";
import type { ImportLine, ImportResult, RecordLine } from "../../../exchange/lines.ts";
import { Failure } from "../../base/failure.ts";
import { sendLines } from "../../exchange/send-lines.ts";
import type { Service } from "../../service/service.ts";
import type { JsonObject, SiteField, SiteLocale, SiteModel } from "../site.ts";

export interface ModelsPlan {
  hash: string;
  changes: { action: string; typeModel?: string; model?: string; added?: string[]; settings?: string[] }[];
  conflicts: { path: string; message: string }[];
}

/** The members of a record that tell whether it was changed. */
interface DraftFacts {
  version: number;
  updatedAt: string;
  publishedAt?: string | null;
}

const isStatus = (error: unknown, status: number): boolean =>
  error instanceof Failure && error.status === status;

interface ModelsDocument {
  settings?: { locales: SiteLocale[] };
  models: JsonObject[];
}

/** Members of a model that the service adds. */
const ADDED: readonly string[] = ["version", "createdAt", "updatedAt"];

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(object).filter(([name, value]) => !names.includes(name) && value !== null),
  );

/** The largest number of times that models are planned and applied: each makes some of the changes. */
const APPLY_MAX = 50;

export class Space {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  get name(): string {
    return this.#service.place.space;
  }

  async locales(): Promise<SiteLocale[]> {
    const { data } = await this.#service.json<{ data: { locales?: SiteLocale[] } }>("GET", "/settings");
    return data.locales ?? [];
  }

  /** Returns the models that the space has, in the form of a document. */
  async models(): Promise<Map<string, SiteModel>> {
    const found = new Map<string, SiteModel>();
    for await (const model of this.#service.list<JsonObject>("/models")) {
      const known = without(model, ADDED) as unknown as SiteModel;
      found.set(`${known.typeModel}/${known.name}`, known);
    }
    return found;
  }

  /** Returns the ids of the media that are there already. */
  async media(): Promise<Set<string>> {
    const ids = new Set<string>();
    for await (const { id } of this.#service.list<{ id: string }>("/media")) ids.add(id);
    return ids;
  }

  async plan(document: ModelsDocument): Promise<ModelsPlan> {
    const { data } = await this.#service.json<{ data: ModelsPlan }>("POST", "/models/plan", {
      json: document,
      isRepeatable: true,
    });
    return data;
  }

  /** Makes the models of a document. @throws Failure when something stands against it */
  async apply(document: ModelsDocument): Promise<void> {
    for (let count = 0; count < APPLY_MAX; count++) {
      const { hash, changes, conflicts } = await this.plan(document);
      if (conflicts.length > 0) {
        throw new Failure("The models do not fit into the space.", {
          details: conflicts,
          next: "Import into an empty space, or change the models that stand against it.",
        });
      }
      if (changes.every(({ action }) => action === "none")) return;
      const { data } = await this.#service.json<{ data: { isComplete: boolean } }>("POST", "/models/apply", {
        json: { ...document, hash },
      });
      if (data.isComplete) return;
    }
    throw new Failure("The models were not all made.", { next: "Run the import again." });
  }

  /**
   * Sends lines of an import. A request looks at as many lines as it has queries for, and the rest is sent again.
   * @param isOverwriting says whether lines replace what differs from them in the space
   */
  async send(lines: readonly ImportLine[], isOverwriting = false): Promise<ImportResult> {
    const all: ImportResult = { imported: 0, unchanged: 0, refused: [], waiting: [] };
    const texts = lines.map((line) => JSON.stringify(line));
    for await (const { imported, unchanged, refused } of sendLines(this.#service, texts, isOverwriting)) {
      all.imported += imported;
      all.unchanged += unchanged;
      all.refused.push(...refused);
    }
    return all;
  }

  /** Returns whether a record is still as an import has left it. */
  async isUntouched(line: RecordLine): Promise<boolean> {
    const data = await this.#draftOf(line);
    // A record that an editor has thrown away stays in the trash.
    if (data === null) return false;
    return (
      data.version === line.version &&
      data.updatedAt === line.updatedAt &&
      (data.publishedAt ?? null) === (line.publishedAt ?? null)
    );
  }

  async #draftOf(line: RecordLine): Promise<DraftFacts | null> {
    try {
      const query = { status: "draft" };
      return (await this.#service.json<{ data: DraftFacts }>("GET", pathOf(line), { query })).data;
    } catch (error) {
      if (isStatus(error, 404)) return null;
      throw error;
    }
  }

  /**
   * Removes a record for good, so that its lines can be imported anew with their times. What leads to it leads to it
   * again then, since the id is the same.
   * @returns whether it is removed: not if an editor has changed it since the import
   */
  async remove(line: RecordLine): Promise<boolean> {
    const headers = { "If-Match": `"${line.version}"` };
    try {
      await this.#service.request("DELETE", pathOf(line), { headers });
    } catch (error) {
      if (isStatus(error, 412)) return false;
      // The answer to a first request may have been lost: then the record is in the trash as the import has left it.
      if (isStatus(error, 404)) return this.removeFromTrash(line);
      throw error;
    }
    await this.removeFromTrash(line);
    return true;
  }

  /** Removes a record from the trash if it is there as an import has left it. @returns whether it was */
  async removeFromTrash({ id, version }: RecordLine): Promise<boolean> {
    try {
      const path = `/trash/${id}`;
      const { data } = await this.#service.json<{ data: { content: { version: number } | null } }>(
        "GET",
        path,
      );
      if (data.content?.version !== version) return false;
      await this.#service.request("DELETE", path);
      return true;
    } catch (error) {
      if (isStatus(error, 404)) return false;
      throw error;
    }
  }

  async publish(line: RecordLine): Promise<void> {
    await this.#service.request("POST", `${pathOf(line)}/publish`, { json: {} });
  }

  /** Sends the file of a media item whose line the space has. @throws Failure when the service refuses it */
  async sendFile(id: string, file: { path: string; sha256: string; mime: string }): Promise<void> {
    const digest = Buffer.from(file.sha256, "hex").toString("base64");
    await this.#service.request("PUT", `/media/${id}/file`, {
      // A blob of a file is read while it is sent, and can be sent again.
      body: await openAsBlob(file.path),
      headers: { "Content-Type": file.mime, "Content-Digest": `sha-256=:${digest}:` },
    });
  }
}

const pathOf = ({ typeModel, model, id }: RecordLine): string => `/data/${typeModel}/${model}/${id}`;

/** Returns what a site needs of a space: its models and locales, with what the space has already. */
export function documentFor(
  site: { models: readonly SiteModel[]; locales: readonly SiteLocale[] },
  present: { models: ReadonlyMap<string, SiteModel>; locales: readonly SiteLocale[] },
): ModelsDocument {
  const have = new Set(present.locales.map(({ code }) => code.toLowerCase()));
  const further = site.locales.filter(({ code }) => !have.has(code.toLowerCase()));
  const models = site.models.map((model) => {
    const known = present.models.get(`${model.typeModel}/${model.name}`);
    return known ? merged(known, model) : model;
  });
  return {
    ...(further.length > 0 && { settings: { locales: [...present.locales, ...further] } }),
    models: models as unknown as JsonObject[],
  };
}

/**
 * Returns a model of the space with the fields that it lacks. Everything that it has stays, so that a second run does not
 * undo a change that an editor made since the first.
 * @throws Failure when a field of the same name has another type
 */
function merged(known: SiteModel, model: SiteModel): SiteModel {
  const byName = new Map(known.fields.map((field) => [field.name, field]));
  for (const { name, type } of model.fields) {
    const other = byName.get(name)?.type;
    if (other === undefined || other === type) continue;
    throw new Failure(
      `The space has a field ${model.name}.${name} of type ${other}, and the import needs ${type}.`,
      {
        next: "Import into an empty space, or rename the field there.",
      },
    );
  }
  const further = model.fields.filter(({ name }: SiteField) => !byName.has(name));
  return further.length === 0 ? known : { ...known, fields: [...known.fields, ...further] };
}
