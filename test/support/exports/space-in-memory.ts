/** A space in memory that answers the requests of an import, for tests of what the command sends and when. */
import { createHash } from "node:crypto";
import type { ImportLine } from "../../../src/exchange/lines.ts";

type Line = Extract<ImportLine, { kind: "record" | "published" | "media" }>;

const json = (data: unknown, status = 200): Response =>
  new Response(JSON.stringify(status < 400 ? { data } : { error: data }), {
    status,
    headers: { "Content-Type": "application/json" },
  });

export class SpaceInMemory {
  readonly models = new Map<string, { typeModel: string; name: string }>();
  readonly lines = new Map<string, Line>();
  /** The versions of the records in the trash, by their ids. */
  readonly trash = new Map<string, number>();
  /** How many answers arrive; that of the next request is lost, though it was carried out. */
  answersLeft = Infinity;
  readonly media = new Map<string, { sha256: string; bytes: Buffer }>();
  readonly #waiting = new Map<string, string>();
  locales: object[] = [];
  /** Files of other servers, by their addresses. */
  readonly web = new Map<string, Buffer>();
  /** How many requests are answered before the command is cut off; then every one fails. */
  requestsLeft = Infinity;
  /** The requests that were made, as `POST /import`. */
  readonly log: string[] = [];

  readonly fetch = async (request: Request): Promise<Response> => {
    const { pathname, host } = new URL(request.url);
    if (host !== "service.test") return this.#file(request.url);
    if (this.requestsLeft-- <= 0) throw new Error("cut off");
    const path = pathname.replace("/api/v1/site", "");
    const name = `${request.method} ${path.replace(/[0-9A-Z]{26}/, "ID")}`;
    this.log.push(name);
    const answer = await this.#answer(name, path, request);
    if (this.answersLeft-- === 0) throw new TypeError("fetch failed", { cause: new Error("socket hang up") });
    return answer;
  };

  #file(address: string): Response {
    const bytes = this.web.get(address);
    return bytes ? new Response(new Uint8Array(bytes)) : new Response("gone", { status: 404 });
  }

  async #answer(name: string, path: string, request: Request): Promise<Response> {
    const page = (data: unknown): Response =>
      new Response(JSON.stringify({ data, meta: { nextCursor: null } }), {
        headers: { "Content-Type": "application/json" },
      });
    switch (name) {
      case "GET /settings":
        return json({ locales: this.locales });
      case "GET /models":
        return page([...this.models.values()]);
      case "GET /media":
        return page([...this.media.keys()].map((id) => ({ id })));
      case "POST /models/plan":
        return json({ hash: "h", conflicts: [], changes: this.#planned(await request.json()) });
      case "POST /models/apply":
        return this.#apply(
          (await request.json()) as {
            models: { typeModel: string; name: string }[];
            settings?: { locales: object[] };
          },
        );
      case "POST /import":
        return json(
          this.#import(await request.text(), new URL(request.url).searchParams.get("overwrite") === "true"),
        );
      case "PUT /media/ID/file":
        return this.#takeFile(path.split("/")[2]!, Buffer.from(await request.arrayBuffer()));
      case "GET /trash/ID": {
        const version = this.trash.get(path.replace(/^.*\//, ""));
        return version === undefined
          ? json({ code: "NOT_FOUND", message: "not in the trash" }, 404)
          : json({ content: { version } });
      }
      case "DELETE /trash/ID":
        return this.trash.delete(path.replace(/^.*\//, ""))
          ? json({ state: "removed" })
          : json({ code: "NOT_FOUND", message: "not in the trash" }, 404);
      default:
        return request.method === "DELETE" ? this.#remove(path, request) : this.#record(path);
    }
  }

  #planned(document: unknown): object[] {
    const { models, settings } = document as {
      models: { typeModel: string; name: string }[];
      settings?: { locales: object[] };
    };
    const areLocalesNew =
      settings !== undefined && JSON.stringify(settings.locales) !== JSON.stringify(this.locales);
    const ofModels = models.map((model) => {
      const known = this.models.get(`${model.typeModel}/${model.name}`);
      return {
        action: known ? (JSON.stringify(known) === JSON.stringify(model) ? "none" : "change") : "create",
      };
    });
    return [...(areLocalesNew ? [{ action: "change", settings: ["locales"] }] : []), ...ofModels];
  }

  #apply({
    models,
    settings,
  }: {
    models: { typeModel: string; name: string }[];
    settings?: { locales: object[] };
  }): Response {
    for (const model of models) this.models.set(`${model.typeModel}/${model.name}`, model);
    if (settings) this.locales = settings.locales;
    return json({ isComplete: true });
  }

  #import(body: string, isOverwriting: boolean): object {
    const result = { imported: 0, unchanged: 0, refused: [] as object[], waiting: [] as object[] };
    for (const [index, text] of body.trim().split("\n").entries()) {
      const line = JSON.parse(text) as Line;
      const key = `${line.kind}/${line.id}`;
      const known = this.lines.get(key);
      const refuse = (message: string): unknown =>
        result.refused.push({ line: index + 1, path: "", message });
      if (line.kind === "media") this.#waiting.set(line.id, line.sha256);
      else if (this.#lacks(line)) {
        refuse("names a media item that is not there");
        continue;
      }
      if (this.trash.has(line.id)) refuse("DIFFERS: the record is in the trash of the space");
      else if (known && JSON.stringify(known) === text) result.unchanged += 1;
      else if (known && !isOverwriting) refuse("DIFFERS from the record in the space");
      else {
        this.lines.set(key, line);
        result.imported += 1;
      }
    }
    return result;
  }

  /** Returns whether a line names a media item that has no file. */
  #lacks(line: Line): boolean {
    const named =
      line.kind === "media"
        ? []
        : (JSON.stringify(line.data).match(/(?<="media":"|"cover":")[0-9A-Z]{26}/g) ?? []);
    return named.some((id) => !this.media.has(id));
  }

  #takeFile(id: string, bytes: Buffer): Response {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (this.#waiting.get(id) !== sha256) return json({ code: "BAD", message: "another file" }, 400);
    if (bytes.includes("broken"))
      return json({ code: "INVALID_IMAGE", message: "The file is damaged." }, 400);
    this.media.set(id, { sha256, bytes });
    return json({ id });
  }

  #remove(path: string, request: Request): Response {
    const id = path.replace(/^.*\//, "");
    const line = this.lines.get(`record/${id}`);
    if (line?.kind !== "record") return json({ code: "NOT_FOUND", message: "not there" }, 404);
    if (request.headers.get("If-Match") !== `"${line.version}"`)
      return json({ code: "PRECONDITION_FAILED", message: "changed" }, 412);
    this.trash.set(id, line.version);
    for (const kind of ["record", "published"]) this.lines.delete(`${kind}/${id}`);
    return json({ id });
  }

  #record(path: string): Response {
    const line = this.lines.get(`record/${path.replace(/^.*\//, "")}`);
    if (line?.kind !== "record") return json({ code: "NOT_FOUND", message: "not there" }, 404);
    return json({ version: line.version, updatedAt: line.updatedAt, publishedAt: line.publishedAt ?? null });
  }
}
