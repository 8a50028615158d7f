import { expect, it } from "vitest";
import { parseFlags } from "../../../../scripts/deploy/flags.ts";

it("without flags is the main deployment, for real", () => {
  expect(parseFlags([])).toEqual({
    name: null,
    location: null,
    domains: [],
    databases: 1,
    isDryRun: false,
    isHelp: false,
  });
});

it("reads every flag, and each domain once", () => {
  const args = [
    "--name",
    "staging",
    "--location=weur",
    "--domain",
    "a.example.com",
    "--domain",
    "b.example.com",
    "--databases=32",
  ];
  expect(parseFlags([...args, "--domain", "a.example.com", "--dry-run", "--help"])).toEqual({
    name: "staging",
    location: "weur",
    domains: ["a.example.com", "b.example.com"],
    databases: 32,
    isDryRun: true,
    isHelp: true,
  });
});

it.each([
  [["--nam"], "--nam"],
  [["staging"], "staging"],
  [
    ["--name", "Staging"],
    '--name takes up to 30 lower-case letters, digits and single hyphens, not "Staging".',
  ],
  [["--name", "a--b"], "--name"],
  [["--name", ""], "--name"],
  [["--name", "a".repeat(31)], "--name"],
  [["--location", "mars"], '--location takes one of wnam, enam, weur, eeur, apac, oc, not "mars".'],
  [["--domain", "https://example.com"], "--domain"],
  [["--domain", "example.com/path"], "--domain"],
  [["--domain", "*.example.com"], "--domain"],
  [["--domain", "localhost"], "--domain"],
  [["--databases", "0"], '--databases takes 1 to 32, not "0".'],
  [["--databases", "33"], "--databases"],
  [["--databases", "2.5"], "--databases"],
  [["--databases", ""], "--databases"],
])("refuses %j and says why", (args, reason) => {
  expect(() => parseFlags(args)).toThrow(reason);
});

it("accepts a name at the limit", () => {
  expect(parseFlags(["--name", "a".repeat(30)]).name).toHaveLength(30);
});
