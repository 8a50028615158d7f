/** `silverprint import --backup`: a backup is put into a space (RULES 18.9). */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { runCommand } from "./support/world.ts";

const FILE = new TextEncoder().encode("the bytes of a master");
const SHA256 = createHash("sha256").update(FILE).digest("hex");
const MEDIA = {
  kind: "media",
  id: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  masterVersion: 2,
  sha256: SHA256,
  sizeBytes: 21,
};

/** Returns a service that has the backup `b`, of another space or of the space itself. */
function holding(base: string) {
  const asked: string[] = [];
  const sent: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname}${search}`);
    const part = (lines: object[], nextCursor: string | null): Response =>
      new Response([...lines, { kind: "end", nextCursor }].map((line) => JSON.stringify(line)).join("\n"));
    if (pathname.endsWith("/import")) {
      sent.push(await request.text());
      const waiting = [{ id: MEDIA.id, sha256: SHA256 }];
      return Response.json({ data: { imported: 2, unchanged: 0, refused: [], waiting } });
    }
    if (pathname.endsWith("/file")) {
      sent.push(await request.text());
      return Response.json({ data: {} });
    }
    if (pathname === `${base}/b/lines`)
      return search === "?part=1" ? part([{ kind: "space" }, MEDIA], "2") : part([{ kind: "record" }], null);
    if (pathname === base)
      return Response.json({ data: [{ id: "b", lines: 3 }], meta: { nextCursor: null } });
    if (pathname === `${base}/b/masters/${MEDIA.id}/2`) return new Response(FILE);
    return Response.json({ error: { code: "NOT_FOUND", message: "There is none." } }, { status: 404 });
  };
  return { fetch, asked, sent };
}

describe("silverprint import --backup", () => {
  it.each(["/api/v1/blog/backups", "/api/v1/backups"])(
    "reads all parts and masters below %s",
    async (base) => {
      const service = holding(base);
      const ran = await runCommand(["import", "--backup", "b", "--space", "blog"], { fetch: service.fetch });
      expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("2 lines imported") as string });
      expect(service.sent).toEqual([
        [{ kind: "space" }, MEDIA, { kind: "record" }].map((line) => JSON.stringify(line)).join("\n"),
        new TextDecoder().decode(FILE),
      ]);
    },
  );

  it.each(["/api/v1/blog/backups", "/api/v1/backups"])(
    "asks for the number of lines of one below %s for a person alone, who sees a bar",
    async (base) => {
      const line = ["import", "--backup", "b", "--space", "blog"];
      const [seen, unseen] = [holding(base), holding(base)];
      const ran = await runCommand(line, { fetch: seen.fetch, isTerminal: true });
      expect(ran).toMatchObject({
        code: 0,
        stderr: expect.stringContaining("The lines are sent.") as string,
      });
      expect(seen.asked).toContain(`GET ${base}?limit=100`);
      await runCommand(line, { fetch: unseen.fetch });
      expect(unseen.asked).not.toContain(`GET ${base}?limit=100`);
    },
  );

  it("says what to do where there is no such backup, and takes no file beside it", async () => {
    const service = holding("/nowhere");
    const none = await runCommand(["import", "--backup", "b"], { fetch: service.fetch });
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining("root token") as string });
    const both = await runCommand(["import", "folder", "--backup", "b"], { fetch: service.fetch });
    expect(both).toMatchObject({ code: 1, stderr: expect.stringContaining("takes no file") as string });
    const neither = await runCommand(["import"], { fetch: service.fetch });
    expect(neither).toMatchObject({ code: 1, stderr: expect.stringContaining("--backup") as string });
  });
});
