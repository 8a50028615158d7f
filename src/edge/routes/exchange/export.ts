/** The routes of exports: pages of lines, and masters (RULES 18.1 to 18.3). */
import * as z from "zod";
import { notFound } from "../../../errors.ts";
import { masterKey } from "../../../image/model/variant.ts";
import { EXCHANGE_TYPE } from "../../../exchange/lines.ts";
import { EXCHANGE } from "../../../limits.ts";
import { serveFile } from "../../delivery/serve-file.ts";
import { START, type Place } from "../../exchange/lines/place.ts";
import { pageStream } from "../../exchange/page.ts";
import type { AppContext } from "../../http/context.ts";
import { endpoint, type App } from "../../http/endpoint.ts";
import { byOf } from "../../http/origin.ts";
import type { Space } from "../../spaces/authorize.ts";
import { noteExport } from "../../storage/exchange/note.ts";
import { changedSince, lastEvent } from "../../storage/exchange/changed.ts";
import { readMaster } from "../../storage/exchange/masters.ts";
import { openCursor, sealCursor } from "../../storage/pages/cursor.ts";

const tag = "Exports";

/** The beginning of an export, which its cursors carry. */
interface Began {
  startedAt: number;
  /** The last event before it. */
  no: number;
}

const listOf = (space: Space): string => JSON.stringify(["export", space.id]);

/** @throws ApiError INVALID_CURSOR */
async function openExport(
  c: AppContext,
  space: Space,
  cursor: string | undefined,
): Promise<Began & { from: Place }> {
  if (cursor === undefined) return { startedAt: Date.now(), no: await lastEvent(c.get("db")), from: START };
  const [startedAt, no, place] = await openCursor(c.env.CURSOR_SECRET, listOf(space), cursor);
  return { startedAt: Number(startedAt), no: Number(no), from: JSON.parse(String(place)) as Place };
}

/** Returns the base64 form of a digest in hexadecimal digits. */
const base64OfHex = (hex: string): string =>
  btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((byte) => parseInt(byte, 16))));

/** Returns the header by which a client checks the bytes of a file (RFC 9530). */
export const contentDigest = (sha256: string): string => `sha-256=:${base64OfHex(sha256)}:`;

export function mountExport(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/export",
      access: "admin",
      reaches: "everything",
      query: z.strictObject({
        cursor: z.string().optional().meta({ description: "`nextCursor` of the page before" }),
      }),
      doc: {
        operationId: "exportSpace",
        tag,
        summary: "Export the space as lines",
        description:
          "NDJSON, one object per line: `space`, `model`, `media`, `record`, `published`, `version`, `trash`, `webhook`. A " +
          "page has at most 1,000 lines or 8 MB. Its last line is `{kind: end, nextCursor}`; a page without it broke off. " +
          "The last page names in `changed` the ids that were written since the first one. No line has a key or a secret.",
        answers: { 200: { description: "A page of lines, `application/x-ndjson`" } },
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, space, caller, query }) => {
      const db = c.get("db");
      if (query.cursor === undefined) await noteExport(db, space, byOf(c, caller));
      const { from, ...began } = await openExport(c, space, query.cursor);
      const cursorOf = (place: Place): Promise<string> =>
        sealCursor(c.env.CURSOR_SECRET, listOf(space), [began.startedAt, began.no, JSON.stringify(place)]);
      const changed = (): Promise<string[]> => changedSince(db, space.id, began);
      const count = c.get("queryCount");
      const goesOn = (): boolean => count.queries < EXCHANGE.queriesMax;
      const body = pageStream({ db, space, startedAt: began.startedAt, from, cursorOf, changed, goesOn });
      return new Response(body, { headers: { "Content-Type": EXCHANGE_TYPE, "Cache-Control": "no-store" } });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/export/masters/:mediaId/:masterVersion",
      access: "admin",
      reaches: "everything",
      doc: {
        operationId: "exportMaster",
        tag,
        summary: "Read the bytes of a master, of a media item in the trash too",
        answers: { 200: { description: "The file, with `Content-Digest`" } },
        errors: ["NOT_FOUND"],
      },
    },
    async ({ c, space }) => {
      const version = Number(/^[1-9]\d{0,14}$/.exec(c.req.param("masterVersion") ?? "")?.[0] ?? 0);
      const mediaId = c.req.param("mediaId") ?? "";
      const master = version > 0 ? await readMaster(c.get("db"), space.id, mediaId, version) : null;
      if (!master) throw notFound("The master");
      const { file, sizeBytes } = master;
      const key = masterKey({ spaceId: space.id, mediaId, version }, file);
      const headers = {
        "Cache-Control": "no-store",
        "Content-Digest": contentDigest(master.sha256),
        "Content-Disposition": "attachment",
      };
      const served = await serveFile(c.req.raw, c.env.BUCKET, { key, file, sizeBytes }, headers);
      if (!served) throw notFound("The file of the master");
      return served;
    },
  );
}
