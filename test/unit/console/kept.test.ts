/** The session that a tab keeps, and who may go on with its page (RULES 11.2, 11.3). */
import { afterEach, expect, it, vi } from "vitest";
import { isOfSamePerson, readSession, type Session } from "../../../src/console/session/kept.ts";

const ada: Session = { space: "demo", key: "sps_1", name: "ada@example.com", role: "write", member: "01ADA" };
const key: Session = { ...ada, key: "sp_1", name: "website", member: null };

afterEach(() => void vi.unstubAllGlobals());

it("takes a member for the same by its id alone", () => {
  expect(isOfSamePerson(ada, { ...ada, key: "sps_2" })).toBe(true);
  expect(isOfSamePerson(ada, { ...ada, name: "ada@example.org" })).toBe(true);
  // An address that was given to another member, and a key that has the name of one.
  expect(isOfSamePerson(ada, { ...ada, member: "01EVE" })).toBe(false);
  expect(isOfSamePerson(ada, { ...ada, member: null })).toBe(false);
  expect(isOfSamePerson({ ...ada, member: null }, ada)).toBe(false);
});

it("takes keys of one name for the same, since a key that has ended is followed by another", () => {
  expect(isOfSamePerson(key, { ...key, key: "sp_2" })).toBe(true);
  expect(isOfSamePerson(key, { ...key, name: "script" })).toBe(false);
});

it("takes nobody for the same in another space or with another role", () => {
  for (const one of [ada, key]) {
    expect(isOfSamePerson(one, { ...one, space: "other" })).toBe(false);
    expect(isOfSamePerson(one, { ...one, role: "admin" })).toBe(false);
  }
});

it("reads a session that an earlier console has kept, which names no member", () => {
  vi.stubGlobal("sessionStorage", { getItem: () => JSON.stringify({ ...key, member: undefined }) });
  expect(readSession()).toEqual(key);
  vi.stubGlobal("sessionStorage", { getItem: () => JSON.stringify({ ...key, role: undefined }) });
  expect(readSession()).toBe(null);
});

it("goes on for a member whose session an earlier console has kept without the id", () => {
  vi.stubGlobal("sessionStorage", { getItem: () => JSON.stringify({ ...ada, member: undefined }) });
  const kept = readSession();
  if (!kept) throw new Error("The session was not read");
  expect(isOfSamePerson(kept, { ...ada, key: "sps_2" })).toBe(true);
  expect(isOfSamePerson(kept, { ...ada, key: "sps_2", name: "eve@example.com", member: "01EVE" })).toBe(
    false,
  );
  // A key that has the name of the member.
  expect(isOfSamePerson(kept, { ...ada, key: "sp_1", member: null })).toBe(false);
});
