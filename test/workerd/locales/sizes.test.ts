/** The sizes of a record: a megabyte of shared fields, and one per locale, each by itself (RULES 3.31). */
import { expect, it } from "vitest";
import { LOCALES } from "../../../src/limits.ts";
import { Client } from "../support/api.ts";
import { bindings } from "../support/rows.ts";

const PATH = "/data/collections/texts";
const FIELDS = [
  { name: "first", type: "text", localized: true },
  { name: "second", type: "text", localized: true },
  { name: "shared", type: "text" },
];
/** A body is a megabyte at most, so that a content grows by two. */
const HALF = 600_000;
/** `,"4294967298":""` */
const MEMBER_BYTES = 16;

const text = (bytes: number): string => "x".repeat(bytes);

it("are held to their limits by locale, and one byte more is refused", async () => {
  const client = await Client.make();
  await client.call("PATCH", "/settings", { locales: [{ code: "en" }, { code: "de" }, { code: "fr" }] });
  await client.model("texts", FIELDS);
  const id = await client.create("texts", { first: text(HALF) });
  const put = (code: string, body: object) => client.call("PUT", `${PATH}/${id}?locale=${code}`, body);

  expect((await put("de", { first: text(HALF) })).status).toBe(200);
  const held = await bindings.DB.prepare(
    "SELECT l.size_bytes AS bytes FROM record_locales l JOIN records r ON r.seq = l.record WHERE r.id = ?1",
  )
    .bind(id)
    .first<{ bytes: number }>();
  const left = LOCALES.localeMaxBytes - (held?.bytes ?? 0) - MEMBER_BYTES;
  const over = await put("de", { second: text(left + 1) });
  expect([over.status, over.error.code]).toEqual([400, "VALIDATION_FAILED"]);
  expect(JSON.stringify(over.error)).toContain(
    `the values in de would have ${LOCALES.localeMaxBytes + 1} bytes; at most ${LOCALES.localeMaxBytes} are kept`,
  );
  expect((await put("de", { second: text(left) })).status).toBe(200);
  // Other locales, and the shared fields, have room of their own.
  expect((await put("fr", { first: text(HALF) })).status).toBe(200);
  expect((await put("de", { shared: text(1_000_000) })).status).toBe(200);
  // The row of the shared fields holds the default locale, too, and D1 has two megabytes for a row.
  const row = await put("en", { second: text(400_000) });
  expect(row.status).toBe(400);
  expect(JSON.stringify(row.error)).toContain(`at most ${LOCALES.rowMaxBytes} are kept`);
  const { data } = await client.call("GET", `${PATH}/${id}?locale=de`);
  expect(data).toMatchObject({ first: text(HALF), second: text(left), shared: text(1_000_000) });
});
