/** Parses the command line by the table of commands, and writes `--help`. */
import { Command as Program, CommanderError, Option as ProgramOption } from "commander";
import { VERSION } from "../generated/version.ts";
import type { Command, Option, Options } from "./form/command.ts";
import { Failure } from "./base/failure.ts";
import type { CommonOptions } from "./service/connect.ts";
import type { World } from "./base/world.ts";

/** The command line as it was parsed. */
export interface Parsed {
  command: Command;
  args: Record<string, string | undefined>;
  options: Record<string, unknown>;
  common: CommonOptions;
}

const COMMON: readonly [flags: string, description: string][] = [
  ["--url <url>", "the address of the service, or SILVERPRINT_URL"],
  ["--space <name>", "the space, or SILVERPRINT_SPACE"],
  ["--key <key>", "a key of the space, or SILVERPRINT_KEY (safer: a process list shows options)"],
  ["--json", "print one JSON document instead of words"],
];

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function optionOf(name: string, { kind, placeholder, description, choices }: Option<unknown>): ProgramOption {
  const flags = `--${kebab(name)}${kind === "flag" ? "" : ` <${placeholder}>`}`;
  const option = new ProgramOption(flags, description);
  if (choices) option.choices(choices);
  if (kind === "values") {
    const collect = (one: string, before: unknown): string[] => [...((before ?? []) as string[]), one];
    option.argParser(collect).default([], "none");
  }
  return option;
}

function examplesOf({ examples }: Command): string {
  const width = Math.max(...examples.map(({ line }) => line.length));
  const lines = examples.map(({ line, does }) => `  $ silverprint ${line.padEnd(width)}  ${does}`);
  return `\nExamples:\n${lines.join("\n")}`;
}

/** Returns the values of a command's own options; the common ones are parsed beside them. */
function ownOptions(table: Options, given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).map(([name, { kind }]) => [
      name,
      given[name] ?? (kind === "flag" ? false : undefined),
    ]),
  );
}

function addCommand(program: Program, command: Command, found: (parsed: Parsed) => void): void {
  const { name, summary, description, args = [], options } = command;
  const sub = program
    .command(name)
    .summary(summary)
    .description(description ?? summary);
  for (const one of args) {
    sub.argument(one.isRequired ? `<${one.name}>` : `[${one.name}]`, one.description);
  }
  for (const [key, option] of Object.entries(options)) sub.addOption(optionOf(key, option));
  for (const [flags, text] of COMMON) sub.option(flags, text);
  sub.addHelpText("after", examplesOf(command));
  sub.action(() => {
    const given = sub.opts<Record<string, unknown> & CommonOptions>();
    found({
      command,
      args: Object.fromEntries(args.map((one, index) => [one.name, sub.args[index]])),
      options: ownOptions(options, given),
      common: given,
    });
  });
}

const INTRODUCTION = `Models, content and pictures of a Silverprint service.

The service, the space and the key are taken from --url, --space and --key, or from the environment variables
SILVERPRINT_URL, SILVERPRINT_SPACE and SILVERPRINT_KEY.`;

const EXIT_CODES = `
Exit codes: 0 done, 1 failed or done in part, 2 a plan with changes (plan --check).
'silverprint COMMAND --help' has the options of a command, and examples.`;

/** A command line that asked for help or for the version, which is printed already. */
export const PRINTED = "printed";

/**
 * Parses a command line.
 * @throws Failure for one that no command understands; its message says which options there are
 */
export function parse(
  commands: readonly Command[],
  argv: readonly string[],
  world: World,
): Parsed | typeof PRINTED {
  const parsed: Parsed[] = [];
  const program = new Program("silverprint")
    .description(INTRODUCTION)
    .version(VERSION, "-v, --version", "print the version")
    .addHelpText("after", EXIT_CODES)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void world.stdout.write(text),
      // Errors are thrown, and printed in one place with all others.
      writeErr: () => undefined,
    });
  for (const command of commands) addCommand(program, command, (one) => void parsed.push(one));
  if (argv.length === 0) {
    world.stdout.write(program.helpInformation() + `${EXIT_CODES}\n`);
    return PRINTED;
  }
  try {
    program.parse([...argv], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return PRINTED;
    const named = commands.find(({ name }) => name === argv[0]);
    const help = named ? `silverprint ${named.name} --help` : "silverprint --help";
    throw new Failure(sentence(error.message), { next: `'${help}' shows what there is.`, cause: error });
  }
  const [first] = parsed;
  return first ?? PRINTED;
}

/** Returns a message of the parser as a sentence. */
function sentence(message: string): string {
  const text = message.replace(/^error: /, "").trim();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?)]$/.test(text) ? "" : "."}`;
}
