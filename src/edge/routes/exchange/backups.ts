/** The routes of backups (RULES 18.7 to 18.9). */
import * as z from "zod";
import { notFound } from "../../../errors.ts";
import { startBackup } from "../../exchange/backups/work.ts";
import { listOf, oneOf, pageQuery } from "../../http/answers/pages.ts";
import { endpoint, respond, type App } from "../../http/endpoint.ts";
import { byOf, byRoot } from "../../http/origin.ts";
import { listBackups, readBackup, workingBackup, type BackupRow } from "../../storage/backups/backups.ts";
import { closePage, lastIdOf, openPage } from "../../storage/pages/list-page.ts";
import { answerLines, answerMaster, answerRemoved, beginSoon, findBackup, onAll } from "./answer-backup.ts";

const tag = "Backups";

const backup = z
  .object({
    id: z.string(),
    spaceId: z.string(),
    spaceName: z.string().meta({ description: "The name that the space had when the backup was started" }),
    state: z.enum(["working", "done", "failed"]),
    parts: z.int().meta({ description: "Pages of lines that are stored" }),
    lines: z.int(),
    bytes: z.int().meta({ description: "Bytes of the lines, without the masters" }),
    masters: z.int().meta({ description: "Files that the lines name. They are kept as long as the backup" }),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    reason: z.string().nullable().meta({ description: "Why it failed, or does not go on at the moment" }),
  })
  .meta({ id: "Backup" });

const iso = (at: number): string => new Date(at).toISOString();

const rendered = ({ id, spaceId, spaceName, state, startedAt, endedAt, ...row }: BackupRow) => ({
  ...{ id, spaceId, spaceName, state: state as "working" | "done" | "failed" },
  ...{ parts: row.parts, lines: row.lines, bytes: row.bytes, masters: row.masters },
  ...{ startedAt: iso(startedAt), endedAt: endedAt === null ? null : iso(endedAt), reason: row.reason },
});

const partQuery = z.strictObject({
  part: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, "must be a whole number from 1")
    .transform(Number)
    .optional()
    .meta({ type: "integer", minimum: 1, default: 1, description: "`nextCursor` of the part before" }),
});

const linesDoc = {
  tag,
  description:
    "NDJSON, as the export has it. The last line of a part is `{kind: end, nextCursor}`; `nextCursor` is the next part.",
  answers: { 200: { description: "A part of the lines, `application/x-ndjson`" } },
  errors: ["CONFLICT", "NOT_FOUND"],
} as const;
const masterDoc = {
  tag,
  answers: { 200: { description: "The file" } },
  errors: ["NOT_FOUND"],
} as const;

const removedDoc = {
  tag,
  description:
    "No route knows it from now on. The sweep removes its lines, and the files that neither a media item nor another backup has.",
  answers: {
    200: {
      description: "The backup is removed",
      schema: oneOf(z.object({ id: z.string(), state: z.literal("removed") })),
    },
  },
  errors: ["NOT_FOUND"],
} as const;

export function mountBackups(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/backups",
      access: "deployment",
      reaches: "nothing",
      query: z.strictObject(pageQuery),
      doc: {
        operationId: "listAllBackups",
        tag,
        summary: "List the backups of all spaces, newest first",
        description: "Those of removed spaces too.",
        answers: { 200: { description: "A page of backups", schema: listOf(backup) } },
        errors: ["INVALID_CURSOR", "UNAVAILABLE"],
      },
    },
    async ({ c, query }) => {
      const page = await openPage(c.env.CURSOR_SECRET, ["backups"], query);
      const found = await onAll(c, (db) => listBackups(db, null, page.limit + 1, lastIdOf(page)));
      const sorted = found.flat().sort((a, b) => (a.id < b.id ? 1 : -1));
      const { rows, meta } = await closePage(page, sorted.slice(0, page.limit + 1), ({ id }) => [id]);
      return respond(c, rows.map(rendered), { meta });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/backups/:backupId/lines",
      access: "deployment",
      reaches: "nothing",
      query: partQuery,
      doc: {
        ...linesDoc,
        operationId: "readBackup",
        summary: "Read the lines of a backup of any space",
        errors: [...linesDoc.errors, "UNAVAILABLE"],
      },
    },
    async ({ c, query }) => answerLines(c, await findBackup(c, null), query.part ?? 1, byRoot(c)),
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/backups/:backupId/masters/:mediaId/:masterVersion",
      access: "deployment",
      reaches: "nothing",
      doc: {
        ...masterDoc,
        operationId: "readBackupMaster",
        summary: "Read a master of a backup of any space",
        errors: [...masterDoc.errors, "UNAVAILABLE"],
      },
    },
    async ({ c }) => answerMaster(c, await findBackup(c, null)),
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/backups/:backupId",
      access: "deployment",
      reaches: "nothing",
      doc: {
        ...removedDoc,
        operationId: "removeBackup",
        summary: "Remove a backup of any space",
        errors: [...removedDoc.errors, "UNAVAILABLE"],
      },
    },
    async ({ c }) => answerRemoved(c, await findBackup(c, null), byRoot(c)),
  );

  endpoint(
    app,
    {
      method: "delete",
      path: "/api/v1/:spaceName/backups/:backupId",
      access: "admin",
      reaches: "everything",
      doc: { ...removedDoc, operationId: "removeOwnBackup", summary: "Remove a backup of the space" },
    },
    async ({ c, space, caller }) => answerRemoved(c, await findBackup(c, space), byOf(c, caller)),
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/backups",
      access: "admin",
      reaches: "everything",
      query: z.strictObject(pageQuery),
      doc: {
        operationId: "listBackups",
        tag,
        summary: "List the backups of the space, newest first",
        answers: { 200: { description: "A page of backups", schema: listOf(backup) } },
        errors: ["INVALID_CURSOR"],
      },
    },
    async ({ c, space, query }) => {
      const page = await openPage(c.env.CURSOR_SECRET, ["backups", space.id], query);
      const found = await listBackups(c.get("db"), space.id, page.limit + 1, lastIdOf(page));
      const { rows, meta } = await closePage(page, found, ({ id }) => [id]);
      return respond(c, rows.map(rendered), { meta });
    },
  );

  endpoint(
    app,
    {
      method: "post",
      path: "/api/v1/:spaceName/backups",
      access: "admin",
      reaches: "everything",
      doc: {
        operationId: "makeBackup",
        tag,
        summary: "Make a backup of the space now",
        description: "While one is being made, that one is the answer.",
        answers: { 202: { description: "The backup, which is being made", schema: oneOf(backup) } },
        errors: ["NOT_FOUND"],
      },
    },
    async ({ c, space, caller }) => {
      const db = c.get("db");
      const id = await startBackup(db, space.id, byOf(c, caller));
      const row = await (id === null ? workingBackup(db, space.id) : readBackup(db, id, space.id));
      if (!row) throw notFound("The space");
      beginSoon(c, row);
      return respond(c, rendered(row), { status: 202 });
    },
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/backups/:backupId/lines",
      access: "admin",
      reaches: "everything",
      query: partQuery,
      doc: { ...linesDoc, operationId: "readOwnBackup", summary: "Read the lines of a backup of the space" },
    },
    async ({ c, space, caller, query }) =>
      answerLines(c, await findBackup(c, space), query.part ?? 1, byOf(c, caller)),
  );

  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/:spaceName/backups/:backupId/masters/:mediaId/:masterVersion",
      access: "admin",
      reaches: "everything",
      doc: {
        ...masterDoc,
        operationId: "readOwnBackupMaster",
        summary: "Read a master of a backup of the space",
      },
    },
    async ({ c, space }) => answerMaster(c, await findBackup(c, space)),
  );
}
