import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { deflateSync } from "node:zlib";
import { beforeEach, expect, it } from "vitest";
import type { MediaLine, PublishedLine, RecordLine } from "../../../../src/exchange/lines.ts";
import { CONTENTFUL } from "../../../support/exports/contentful.ts";
import { writeFixture } from "../../../support/exports/read-site.ts";
import { SpaceInMemory } from "../../../support/exports/space-in-memory.ts";
import { writeStrapiExport } from "../../../support/exports/strapi.ts";
import { WORDPRESS_XML } from "../../../support/exports/wordpress.ts";
import { PrivateAddress, type FileRequest } from "../../../../src/command/base/fetch-file.ts";
import { runCommand, type Ran } from "../support/world.ts";

const PNG = Buffer.concat([
  Buffer.from([0x89]),
  Buffer.from("PNG\r\n\x1a\n"),
  deflateSync(Buffer.from("pixels")),
]);
/** The open files of this process, on Linux. */
const FILES = "/proc/self/fd";
const BEACH = "https://images.ctfassets.net/beach.jpg";

let space: SpaceInMemory;
let path: string;
beforeEach(() => {
  space = new SpaceInMemory();
  path = writeFixture("export.json", JSON.stringify(CONTENTFUL));
});

const importing = (...more: string[]): Promise<Ran> =>
  runCommand(["import", "--from", "contentful", path, ...more], { fetch: space.fetch });

const recordOf = (sourceId: string): RecordLine => {
  const found = [...space.lines.values()].find(
    (line) => line.kind === "record" && line.data["sourceId"] === sourceId,
  );
  return found as RecordLine;
};

it("prints models and losses, and writes nothing, with --dry-run", async () => {
  const { code, stdout } = await importing("--dry-run");
  expect(code).toBe(0);
  expect(stdout).toContain("6 records, 1 picture, en-US, de.");
  expect(stdout).toContain("slug: string, required, unique");
  expect(stdout).toContain("1 × an archived entry is kept as a draft with archived: true");
  expect(space.log).toEqual([]);
  expect(readFileSync(`${path}.losses.txt`, "utf8")).toContain("roles are left out\troles");
  expect(existsSync(`${path}.import`)).toBe(false);
});

it("makes the locales, then media, then models, then records", async () => {
  space.web.set(BEACH, PNG);
  const { code, stdout } = await importing();
  expect(stdout).toContain("1 picture and 9 lines of records are imported, 0 and 0 were there already.");
  expect(code).toBe(0);
  expect(space.locales).toEqual([{ code: "en-US" }, { code: "de", fallback: "en-US" }]);
  expect([...space.models.keys()]).toContain("collections/blog-post");
  const media = [...space.lines.values()].find((line) => line.kind === "media") as MediaLine;
  expect(media).toMatchObject({
    filename: "beach.jpg",
    alt: "At low tide",
    alts: { de: "Strand" },
    mime: "image/png",
  });
  expect(space.media.get(media.id)?.bytes).toEqual(PNG);
  expect(recordOf("post1")).toMatchObject({
    ...{ typeModel: "collections", model: "blog-post", version: 1, createdAt: "2024-01-02T03:04:05.000Z" },
    ...{
      updatedAt: "2024-02-02T03:04:05.000Z",
      publishedVersion: 1,
      publishedAt: "2024-02-01T00:00:00.000Z",
    },
    editions: { "en-US": { version: 1, publishedVersion: 1 }, de: { version: 1, publishedVersion: 1 } },
    apart: [],
    data: { cover: media.id, title: { "en-US": "First", de: "Erster" } },
  });
  expect(recordOf("post3")).not.toHaveProperty("publishedVersion");
  expect(space.log.indexOf("POST /models/apply")).toBeLessThan(space.log.indexOf("PUT /media/ID/file"));
  const order = ["PUT /media/ID/file", "POST /models/apply", "POST /import"];
  expect(order.map((name) => space.log.lastIndexOf(name))).toEqual(
    [...order.map((name) => space.log.lastIndexOf(name))].sort((a, b) => a - b),
  );
  expect(existsSync(`${path}.import`)).toBe(false);
});

it("changes nothing in a second run", async () => {
  space.web.set(BEACH, PNG);
  await importing();
  const before = [...space.lines];
  const { code, stdout } = await importing();
  expect([code, [...space.lines]]).toEqual([0, before]);
  expect(stdout).toContain("0 pictures and 0 lines of records are imported, 1 and 9 were there already.");
});

it("lists a file that cannot be fetched, brings in the rest, and gets it in a second run", async () => {
  const first = await importing();
  expect(first.code).toBe(1);
  expect(first.stdout).toContain(`${BEACH}: its server answered 404`);
  expect(recordOf("post1").data["cover"]).toBeUndefined();
  space.web.set(BEACH, PNG);
  const second = await importing();
  expect(second.code).toBe(0);
  const [media] = [...space.media.keys()];
  const { id } = recordOf("post1");
  const published = space.lines.get(`published/${id}`) as PublishedLine;
  expect([recordOf("post1").data["cover"], published.data["cover"]]).toEqual([media, media]);
  expect((await importing()).stdout).toContain(
    "0 pictures and 0 lines of records are imported, 1 and 9 were there",
  );
});

it("leaves a record as somebody has changed it meanwhile, even if a picture of it comes", async () => {
  await importing();
  const line = recordOf("post1");
  space.lines.set(`record/${line.id}`, { ...line, version: 2, data: { ...line.data, slug: "mine" } });
  space.web.set(BEACH, PNG);
  const { code, stdout } = await importing("--json");
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as { written: { different: string[] } }).written.different).toEqual([
    "blog-post post1",
  ]);
  expect(recordOf("post1").data["slug"]).toBe("mine");
});

it("completes a record with a late picture, whenever it is cut off", async () => {
  await importing();
  const first = [...space.lines];
  const models = [...space.models];
  const { locales } = space;
  const incomplete = (): SpaceInMemory => {
    const made = new SpaceInMemory();
    for (const [key, line] of first) made.lines.set(key, line);
    for (const [key, model] of models) made.models.set(key, model);
    made.locales = locales;
    made.web.set(BEACH, PNG);
    return made;
  };
  const file = (name: string): string => `${path}.import/${name}`;
  const before = readdirSync(`${path}.import`).filter((name) => name !== "fetched");
  const texts = before.map((name) => [name, readFileSync(file(name))] as const);
  space = incomplete();
  expect((await importing()).code).toBe(0);
  const whole = [...space.lines].sort();
  const requests = space.log.length;
  expect(space.log).toContain("DELETE /trash/ID");
  const beginAnew = (): void => {
    rmSync(`${path}.import`, { recursive: true, force: true });
    mkdirSync(`${path}.import`);
    for (const [name, text] of texts) writeFileSync(file(name), text);
    space = incomplete();
  };
  for (let left = 0; left < requests; left++) {
    beginAnew();
    space.answersLeft = left;
    // A request that may have arrived is sent again, if that does no harm; else the next run goes on.
    const first = await importing();
    const { code, stdout } = first.code === 0 ? first : await importing();
    expect([code, [...space.lines].sort(), space.trash.size], `${left}: ${stdout}`).toEqual([0, whole, 0]);
  }
  for (let left = 1; left < requests; left++) {
    beginAnew();
    space.requestsLeft = left;
    expect((await importing()).code).toBe(1);
    space.requestsLeft = Infinity;
    const { code, stdout } = await importing();
    expect([code, [...space.lines].sort(), space.trash.size], `${left}: ${stdout}`).toEqual([0, whole, 0]);
  }
});

it("leaves a record in the trash into which somebody has thrown it, and goes on", async () => {
  await importing();
  const { id } = recordOf("post1");
  for (const kind of ["record", "published"]) space.lines.delete(`${kind}/${id}`);
  space.trash.set(id, 2);
  space.web.set(BEACH, PNG);
  const { code, stdout } = await importing("--json");
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as { written: { different: string[] } }).written.different).toEqual([
    "blog-post post1",
  ]);
  expect([...space.trash.keys()]).toEqual([id]);
});

it("requires no picture of a field that the service has refused", async () => {
  space.web.set(BEACH, Buffer.concat([PNG, Buffer.from("broken")]));
  const required = JSON.parse(JSON.stringify(CONTENTFUL)) as typeof CONTENTFUL;
  const fields = (required as unknown as { contentTypes: { fields: { id: string; required?: boolean }[] }[] })
    .contentTypes;
  const cover = fields.flatMap((type) => type.fields).filter(({ id }) => id === "cover");
  expect(cover.length).toBeGreaterThan(0);
  for (const field of cover) field.required = true;
  path = writeFixture("export.json", JSON.stringify(required));
  expect((await importing()).code).toBe(0);
  const model = space.models.get("collections/blog-post") as unknown as {
    fields: { name: string; required?: boolean }[];
  };
  expect(model.fields.find(({ name }) => name === "cover")?.required ?? false).toBe(false);
});

it("lists a file that is no picture, and one that the service refuses, with exit 0", async () => {
  space.web.set(BEACH, Buffer.from("<html>Sorry</html>"));
  expect((await importing()).stdout).toContain(`${BEACH}: the file is no picture`);
  const other = new SpaceInMemory();
  other.web.set(BEACH, Buffer.concat([PNG, Buffer.from("broken")]));
  const { code, stdout } = await runCommand(["import", "--from", "contentful", path], { fetch: other.fetch });
  expect(code).toBe(0);
  expect(stdout).toContain(`${BEACH}: The file is damaged.`);
});

it("goes on where it was cut off, after any request", async () => {
  space.web.set(BEACH, PNG);
  await importing();
  const whole = [...space.lines];
  const requests = space.log.length;
  for (let left = 1; left < requests; left++) {
    space = new SpaceInMemory();
    space.web.set(BEACH, PNG);
    space.requestsLeft = left;
    const { code } = await importing();
    expect(code).toBe(1);
    space.requestsLeft = Infinity;
    expect((await importing()).code).toBe(0);
    expect([...space.lines].sort()).toEqual([...whole].sort());
  }
});

it("fetches no file from a private network, says how to, and gets it in a second run that allows it", async () => {
  const allowed: boolean[] = [];
  const fetchFile = (address: string, { isPrivateAllowed }: FileRequest): Promise<Response> => {
    allowed.push(isPrivateAllowed);
    if (isPrivateAllowed) return Promise.resolve(new Response(new Uint8Array(PNG)));
    return Promise.reject(new PrivateAddress(new URL(address).hostname, "10.0.0.7"));
  };
  const run = (...more: string[]): Promise<Ran> =>
    runCommand(["import", "--from", "contentful", path, ...more], { fetch: space.fetch, fetchFile });
  const first = await run();
  expect(first.code).toBe(1);
  expect(first.stdout).toContain("(10.0.0.7) is an address of this machine or of a private network");
  expect(first.stdout).toContain("--allow-private fetches it");
  expect(space.media.size).toBe(0);
  expect((await run("--allow-private")).code).toBe(0);
  expect(space.media.size).toBe(1);
  expect(allowed).toEqual([false, true]);
});

it("shows a person how far the reading is", async () => {
  const line = ["import", "--from", "contentful", path, "--dry-run"];
  const { code, stderr } = await runCommand(line, { isTerminal: true });
  expect(code).toBe(0);
  expect(stderr).toContain("The export is read.");
  expect(stderr).toContain("The records are looked at.");
  expect((await runCommand(line)).stderr).toBe("");
});

it("leaves no file open beside the import, since Windows removes none that is open", async () => {
  space.web.set(BEACH, PNG);
  const openBelow = (): string[] =>
    readdirSync(FILES).flatMap((fd) => {
      try {
        const target = readlinkSync(`${FILES}/${fd}`);
        return target.startsWith(`${path}.`) ? [target] : [];
      } catch {
        return [];
      }
    });
  await importing("--dry-run");
  await importing();
  if (existsSync(FILES)) expect(openBelow()).toEqual([]);
  expect(existsSync(`${path}.import`)).toBe(false);
});

it("puts changed content above what is published, and pages under their names", async () => {
  const archive = await writeStrapiExport(PNG);
  const { code } = await runCommand(["import", "--from", "strapi", archive], { fetch: space.fetch });
  expect(code).toBe(0);
  const published = [...space.lines.values()].filter(
    (line): line is PublishedLine => line.kind === "published",
  );
  const first = published.find(({ model }) => model === "articles")!;
  expect(recordOf("doc1")).toMatchObject({
    ...{ version: 2, publishedVersion: 1 },
    editions: { en: { version: 2, publishedVersion: 1 }, de: { version: 2 } },
    apart: [],
    data: { title: { en: "First, changed", de: "Erster" } },
  });
  expect(first).toMatchObject({
    version: 1,
    publishedVersion: 1,
    apart: [],
    data: { title: { en: "First" } },
  });
  expect(first.editions).not.toHaveProperty("de");
  // A language that was not changed since it was published is as it was, whatever another one is.
  expect(recordOf("doc3")).toMatchObject({
    ...{ version: 2, editions: { en: { version: 2 }, de: { version: 1, publishedVersion: 1 } } },
    data: { title: { en: "Third", de: "Dritter" }, slug: { en: "first", de: "erster" } },
  });
  expect(recordOf("home")).toMatchObject({ typeModel: "pages", model: "home", id: "home" });
  expect(recordOf("ada")).not.toHaveProperty("publishedVersion");
});

it("writes a site without languages into the default one of a space with languages", async () => {
  space.locales = [{ code: "fr" }, { code: "en" }];
  const xml = writeFixture("site.xml", WORDPRESS_XML);
  await runCommand(["import", "--from", "wordpress", xml], { fetch: space.fetch });
  expect(space.locales).toEqual([{ code: "fr" }, { code: "en" }]);
  expect(recordOf("1")).toMatchObject({ editions: { fr: { version: 1, publishedVersion: 1 } } });
  expect(recordOf("6")).toMatchObject({ publishAt: "2030-01-01T08:00:00.000Z" });
});

it("says what is missing", async () => {
  const { code, stderr } = await runCommand(["import", path]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("has no export.ndjson")]);
  const other = await runCommand(["import", "--from", "sanity", "/nowhere.ndjson", "--dry-run"]);
  expect(other.stderr).toContain("/nowhere.ndjson is not there.");
});
