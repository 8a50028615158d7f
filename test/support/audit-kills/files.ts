/** The writes of media, of uploads in parts, of backups and of fetched pictures. */
import type { Stream } from "./stream.ts";

const DOT = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

const FETCH_POLL_MS = 50;
const FETCH_POLLS_MAX = 5000;

/** Returns a picture that no other is: bytes after its end belong to the file all the same. */
export const dotOf = (mark: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat([DOT, Buffer.from(mark)]));

const mediaNamed = (s: Stream, name: string): string[] =>
  s.rows.ids("SELECT id FROM media WHERE space_id = ? AND filename = ?", s.space.id, name);

/** Returns the line of a media item for which a condition of SQL holds. */
const mediaLines = (s: Stream, verb: string, id: string, condition: string): string[] =>
  s.rows
    .ids(`SELECT id FROM media WHERE space_id = ? AND id = ? AND ${condition}`, s.space.id, id)
    .map((found) => `media.${verb} ${found}`);

/** Uploads a media item, changes it, and removes it from the trash. */
export async function lifeOfMedia(s: Stream): Promise<void> {
  const name = `${s.mark()}.gif`;
  await s.write({
    send: { method: "POST", path: "/media", bytes: dotOf(name), headers: { "X-Filename": name } },
    lines: () => mediaNamed(s, name).map((id) => `media.created ${id}`),
  });
  const id = mediaNamed(s, name)[0] ?? "";
  const path = `/media/${id}`;
  const step = (method: string, at: string, verb: string, condition: string) =>
    s.write({ send: { method, path: at }, lines: () => mediaLines(s, verb, id, condition) });
  const alt = s.mark();
  await s.write({
    send: { method: "PATCH", path, json: { alt } },
    lines: () => mediaLines(s, "updated", id, `alt = '${alt}'`),
  });
  await s.write({
    send: { method: "PUT", path: `${path}/file`, bytes: dotOf(s.mark()) },
    lines: () => mediaLines(s, "replaced", id, "master_version > 1"),
  });
  await step("DELETE", path, "trashed", "deleted_at IS NOT NULL");
  await step("POST", `/trash/${id}/restore`, "restored", "deleted_at IS NULL");
  await step("DELETE", path, "trashed", "deleted_at IS NOT NULL");
  await s.write({
    send: { method: "DELETE", path: `/trash/${id}` },
    lines: () => (s.rows.has("SELECT 1 FROM media WHERE id = ?", id) ? [] : [`media.removed ${id}`]),
  });
}

/** Begins an upload in parts. @returns its id */
async function begin(s: Stream, filename: string, file: Uint8Array): Promise<string> {
  const begun = (): string[] =>
    s.rows.ids("SELECT id FROM uploads WHERE space_id = ? AND filename = ?", s.space.id, filename);
  await s.write({
    send: { method: "POST", path: "/media/uploads", json: { filename, sizeBytes: file.length } },
    lines: () => begun().map((id) => `upload.created ${id}`),
  });
  return begun()[0] ?? "";
}

/** Ends one upload in parts, and gives up another. */
export async function uploads(s: Stream): Promise<void> {
  const name = `${s.mark()}.gif`;
  const file = dotOf(name);
  const id = await begin(s, name, file);
  await s.ask({ method: "PUT", path: `/media/uploads/${id}/parts/1`, bytes: file });
  await s.write({
    send: { method: "POST", path: `/media/uploads/${id}/complete` },
    lines: () => mediaNamed(s, name).map((found) => `media.created ${found}`),
  });
  const other = await begin(s, `${s.mark()}.gif`, file);
  await s.write({
    send: { method: "DELETE", path: `/media/uploads/${other}` },
    lines: () => (s.rows.has("SELECT 1 FROM uploads WHERE id = ?", other) ? [] : [`upload.removed ${other}`]),
  });
}

/** Makes a backup, and gives it up. */
export async function backups(s: Stream): Promise<void> {
  const listed = (): string[] =>
    s.rows.ids("SELECT id FROM backups WHERE space_id = ? AND state <> 'removing'", s.space.id);
  const before = new Set(listed());
  const made = (): string[] => listed().filter((id) => !before.has(id));
  await s.write({
    send: { method: "POST", path: "/backups" },
    lines: () => made().map((id) => `backup.created ${id}`),
  });
  const id = made()[0] ?? "";
  await s.write({
    send: { method: "DELETE", path: `/backups/${id}` },
    lines: () => (listed().includes(id) ? [] : [`backup.removed ${id}`]),
  });
}

/** Returns the story of a caller who has a picture fetched and removes it. @param origin an address of this machine */
export const fetched =
  (origin: string) =>
  async (s: Stream): Promise<void> => {
    const allowed = (): boolean =>
      s.rows.has("SELECT 1 FROM spaces WHERE id = ? AND instr(origins, ?) > 0", s.space.id, origin);
    if (!allowed())
      await s.write({
        send: { method: "PATCH", path: "/settings", json: { origins: [origin] } },
        lines: () => (allowed() ? [`settings.changed ${s.space.name}`] : []),
      });
    const url = `${origin}/${s.mark()}.gif`;
    const path = `/remote?url=${encodeURIComponent(url)}`;
    const known = (): string[] =>
      s.rows.ids("SELECT id FROM remotes WHERE space_id = ? AND url = ?", s.space.id, url);
    // The fetch may end behind the answer, and one that a kill cut off is begun again later.
    for (let asked = 0; known().length === 0; asked++) {
      if (asked === FETCH_POLLS_MAX) throw new Error(`${url} was asked for ${asked} times, and not fetched`);
      await s.ask({ method: "GET", path: `${path}&w=64` });
      await s.victim.pause(FETCH_POLL_MS);
    }
    const id = known()[0] ?? "";
    await s.write({
      send: { method: "DELETE", path },
      // A fetch that was asked for meanwhile may bring the picture again, under another id.
      lines: () => (known().includes(id) ? [] : [`remote.removed ${id}`]),
    });
  };
