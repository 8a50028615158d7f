/** Statements about rights and wide gamuts as the service has them (RULES 2.2, 4.2, 9.1, 9.9, 9.10). */
import { describe, expect, test } from "vitest";
import type { MasterFacts } from "../../../src/image/model/facts.ts";
import { Client } from "../support/api.ts";
import { cleanBetweenTests, moveClock } from "../support/clean.ts";
import { eventually } from "../support/eventually.ts";
import { picture, request, ROOT } from "../support/http.ts";
import { bindings, JPEG_FACTS, makeMedia, variantFiles, type Media } from "../support/rows.ts";
import { runSweep } from "../support/sweep.ts";

cleanBetweenTests();

const NONE = { creator: null, credit: null, notice: null, usageTerms: null, statement: null, licensor: null };
const COPYRIGHT = { ...NONE, creator: "Jané Döe", notice: "© 2026 Lighthouse Pictures" };

const packet = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
  xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:creator><rdf:Seq><rdf:li>${COPYRIGHT.creator}</rdf:li></rdf:Seq></dc:creator>
  <dc:rights>${COPYRIGHT.notice}</dc:rights></rdf:Description></rdf:RDF>`;

/** Returns a GIF of one pixel, with the packet in an application extension. */
function gif(): Uint8Array {
  const dot = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (letter) =>
    letter.charCodeAt(0),
  );
  const head = 13 + 6;
  const xmp = new TextEncoder().encode(packet);
  const name = new TextEncoder().encode("XMP DataXMP");
  const trailer = [1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0];
  return Uint8Array.from([
    ...dot.slice(0, head),
    0x21,
    0xff,
    11,
    ...name,
    ...xmp,
    ...trailer,
    ...dot.slice(head),
  ]);
}

interface Item {
  id: string;
  copyright: typeof COPYRIGHT | null;
}

async function send(
  client: Client,
  body: Uint8Array | string,
  path = "/media",
  method = "POST",
): Promise<Item> {
  const response = await request(`/api/v1/${client.space.name}${path}`, { method, body, headers: ROOT });
  expect(response.status).toBeLessThan(300);
  return (await response.json<{ data: Item }>()).data;
}

const found = async (client: Client, words: string): Promise<string[]> => {
  const list = await client.call<Item[]>("GET", `/media?search=${encodeURIComponent(words)}`);
  return list.data.map(({ id }) => id);
};

describe("the copyright of a media item", () => {
  test("is read from its file, and found by the words of creator and notice", async () => {
    const client = await Client.make();
    const { id, copyright } = await send(client, gif());
    expect(copyright).toEqual(COPYRIGHT);
    expect((await client.call<Item>("GET", `/media/${id}`)).data.copyright).toEqual(COPYRIGHT);
    for (const words of ["jane DOE", "lighthouse 2026", "pict"])
      expect(await found(client, words), words).toEqual([id]);
    // A change of names keeps the words of the file.
    await client.call("PATCH", `/media/${id}`, { alt: "At low tide" });
    expect(await found(client, "tide")).toEqual([id]);
    expect(await found(client, "doe")).toEqual([id]);
  });

  test("goes with the file, and comes with the next one", async () => {
    const client = await Client.make();
    const plain = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>`;
    const { id, copyright } = await send(client, plain);
    expect(copyright).toBeNull();
    expect(await found(client, "doe")).toEqual([]);
    expect((await send(client, gif(), `/media/${id}/file`, "PUT")).copyright).toEqual(COPYRIGHT);
    expect(await found(client, "doe")).toEqual([id]);
    expect((await send(client, plain, `/media/${id}/file`, "PUT")).copyright).toBeNull();
    expect(await found(client, "doe")).toEqual([]);
  });

  test("of a master from before is read by the sweep, once", async () => {
    const client = await Client.make();
    const facts: MasterFacts = { ...JPEG_FACTS, format: "gif", width: 1, height: 1 } as never;
    const media = await makeMedia(client.space, facts);
    const other = await makeMedia(client.space);
    await bindings.BUCKET.put(media.masterKey, gif());
    const read = async (): Promise<Item> => (await client.call<Item>("GET", `/media/${media.id}`)).data;
    expect((await read()).copyright).toBeNull();
    expect((await runSweep(Date.now())).inspectedMasters).toBe(2);
    expect((await read()).copyright).toEqual(COPYRIGHT);
    await runSweep(Date.now());
    expect(await found(client, "doe")).toEqual([media.id]);
    expect((await runSweep(Date.now())).inspectedMasters).toBe(0);
    const { results } = await bindings.DB.prepare("SELECT facts FROM masters WHERE media_id = ?")
      .bind(other.id)
      .all<{ facts: string }>();
    expect(JSON.parse(results[0]!.facts)).toEqual(JPEG_FACTS);
  });

  test("is tried again when the bucket does not answer, and given up after some tries", async () => {
    const client = await Client.make();
    await makeMedia(client.space);
    const logged: unknown[] = [];
    const bucket = { get: () => Promise.reject(new Error("away")) } as unknown as R2Bucket;
    const tools = { bucket, log: (event: unknown) => logged.push(event) };
    for (let run = 0; run < 5; run++) expect((await runSweep(Date.now(), tools)).inspectedMasters).toBe(0);
    expect(logged.filter((event) => (event as { event: string }).event === "inspection-failed")).toHaveLength(
      5,
    );
    expect((await runSweep(Date.now(), tools)).inspectedMasters).toBe(1);
    expect((await runSweep(Date.now(), tools)).inspectedMasters).toBe(0);
  });
});

describe("the settings", () => {
  const facts: MasterFacts = { ...JPEG_FACTS, profile: "icc", copyright: COPYRIGHT, wide: true };

  async function built(client: Client, media: Media, query: string): Promise<string> {
    const before = new Set(await variantFiles(media));
    moveClock(60_000);
    await picture(client.space.name, media.id, query);
    await eventually(async () => expect((await variantFiles(media)).length).toBeGreaterThan(before.size));
    return (await variantFiles(media)).find((file) => !before.has(file))!.replace(/-e\d+/, "");
  }

  test("metadata and gamut have defaults, are changed by PATCH, and take nothing else", async () => {
    const client = await Client.make();
    const settings = async () => (await client.call("GET", "/settings")).data;
    expect(await settings()).toMatchObject({ metadata: "copyright", gamut: "srgb" });
    const changed = await client.call("PATCH", "/settings", { metadata: "none", gamut: "p3" });
    expect(changed.data).toMatchObject({ metadata: "none", gamut: "p3" });
    for (const wrong of [{ metadata: "all" }, { gamut: "rec2020" }, { metadata: null }])
      expect((await client.call("PATCH", "/settings", wrong)).status).toBe(400);
    expect(await settings()).toMatchObject({ metadata: "none", gamut: "p3" });
  });

  test("of each lead to a variant of its own, and back to the one that is there", async () => {
    const client = await Client.make();
    const media = await makeMedia(client.space, facts);
    const change = async (to: object): Promise<void> => {
      await client.call("PATCH", "/settings", to);
    };
    expect(await built(client, media, "w=500&fm=webp")).toBe("w500-q80-c.webp");
    await change({ metadata: "none" });
    expect(await built(client, media, "w=500&fm=webp")).toBe("w500-q80.webp");
    await change({ gamut: "p3" });
    expect(await built(client, media, "w=500&fm=webp")).toBe("w500-q80-p3.webp");
    await change({ metadata: "copyright" });
    expect(await built(client, media, "w=500&fm=webp")).toBe("w500-q80-c-p3.webp");
    expect(await built(client, media, "w=236&fm=webp")).toBe("w236-q80-p3.webp");
    expect(await variantFiles(media)).toHaveLength(5);
    await change({ gamut: "srgb" });
    moveClock(60_000);
    const { state, path } = await picture(client.space.name, media.id, "w=500&fm=webp");
    expect(state).toBe("hit");
    expect(path).toMatch(/\/w500-q80-e\d+-c\.webp$/);
    expect(await variantFiles(media)).toHaveLength(5);
  });

  test("change nothing for a master that states nothing and is in sRGB", async () => {
    const client = await Client.make();
    const media = await makeMedia(client.space);
    expect(await built(client, media, "w=500&fm=webp")).toBe("w500-q80.webp");
    await client.call("PATCH", "/settings", { metadata: "none", gamut: "p3" });
    moveClock(60_000);
    expect((await picture(client.space.name, media.id, "w=500&fm=webp")).state).toBe("hit");
  });
});
