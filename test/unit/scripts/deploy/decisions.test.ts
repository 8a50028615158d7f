import { describe, expect, it } from "vitest";
import { headersOf } from "../../../../scripts/deploy/credentials.ts";
import { OUR_RULES, withOurRules } from "../../../../scripts/deploy/steps/bucket.ts";
import { chooseDatabase } from "../../../../scripts/deploy/steps/database.ts";
import { needsChange } from "../../../../scripts/deploy/steps/domains.ts";
import { importFile } from "../../../../scripts/deploy/steps/migrations.ts";
import { addressesIn } from "../../../../scripts/deploy/wrangler.ts";

describe("the database", () => {
  const databases = [
    { uuid: "1", name: "silverprint-staging" },
    { uuid: "2", name: "silverprint" },
  ];
  it("is the one with the very name", () => {
    expect(chooseDatabase(databases, { database: "silverprint", pinnedDatabaseId: null })?.uuid).toBe("2");
    expect(chooseDatabase(databases, { database: "silver", pinnedDatabaseId: null })).toBeNull();
  });
  it("is the pinned one, and never another in its place", () => {
    expect(chooseDatabase(databases, { database: "silverprint", pinnedDatabaseId: "1" })?.uuid).toBe("1");
    expect(() => chooseDatabase(databases, { database: "silverprint", pinnedDatabaseId: "3" })).toThrow(
      /Remove database_id/,
    );
  });
});

describe("lifecycle rules", () => {
  const other = { id: "mine", enabled: true };
  it("are added to those that are there", () => {
    expect(withOurRules([other])).toEqual([other, ...OUR_RULES]);
  });
  it("are not changed if they are right, whatever Cloudflare adds", () => {
    expect(
      withOurRules([...OUR_RULES.map((rule) => ({ ...rule, storageClassTransitions: [] })), other]),
    ).toBeNull();
  });
  it("are corrected, not duplicated, if they are different", () => {
    const [first, ...others] = OUR_RULES;
    expect(withOurRules([{ ...first!, enabled: false }, other, ...others])).toEqual([other, ...OUR_RULES]);
  });
});

describe("custom domains", () => {
  const none = { added: [], removed: [], updated: [], conflicting: [] };
  const host = { hostname: "images.example.com" };
  it("that exist already are not changed", () => {
    expect(needsChange({ ...none, updated: [{ ...host, modified: false }] })).toBe(false);
  });
  it("are added and removed", () => {
    expect(needsChange({ ...none, added: [host] })).toBe(true);
    expect(needsChange({ ...none, removed: [host] })).toBe(true);
  });
  it("are not taken from another Worker or a DNS record", () => {
    expect(() => needsChange({ ...none, updated: [{ ...host, modified: true }] })).toThrow(
      /belong to another Worker/,
    );
    expect(() => needsChange({ ...none, conflicting: [host] })).toThrow(/DNS records stand in the way/);
  });
});

it("a file of migrations has each with its row in the ledger, whatever its line ends", () => {
  const file = importFile(
    [
      { name: "0000_a.sql", sql: "CREATE TABLE a (b);\r\nCREATE TABLE c (d)\r\n" },
      { name: "0001_it's.sql", sql: "SELECT 1;" },
    ],
    "one",
  );
  expect(file).toMatch(/^-- one\nCREATE TABLE IF NOT EXISTS "d1_migrations"\(/);
  expect(file.slice(file.indexOf("CREATE TABLE a"))).toBe(
    [
      "CREATE TABLE a (b);",
      "CREATE TABLE c (d);",
      `INSERT INTO "d1_migrations" (name) VALUES ('0000_a.sql');`,
      "SELECT 1;",
      `INSERT INTO "d1_migrations" (name) VALUES ('0001_it''s.sql');`,
      "",
    ].join("\n"),
  );
});

it("addresses are what wrangler deployed to, schedules aside", () => {
  const events = [
    { type: "wrangler-session" },
    { type: "deploy", targets: ["https://silverprint.acme.workers.dev", "schedule: * * * * *"] },
  ];
  expect(addressesIn(events.map((event) => `${JSON.stringify(event)}\n`).join(""))).toEqual([
    "https://silverprint.acme.workers.dev",
  ]);
});

it("signs in with wrangler's credentials, and knows those of its login", () => {
  const bearer = { Authorization: "Bearer abc" };
  expect(headersOf('{"type":"oauth","token":"abc"}')).toEqual({ credentials: bearer, isLogin: true });
  expect(headersOf('{"type":"api_token","token":"abc"}')).toEqual({ credentials: bearer, isLogin: false });
  expect(headersOf('{"type":"api_key","key":"k","email":"e@example.com"}')).toEqual({
    credentials: { "X-Auth-Key": "k", "X-Auth-Email": "e@example.com" },
    isLogin: false,
  });
  expect(() => headersOf('{"error":"not logged in"}')).toThrow();
});
