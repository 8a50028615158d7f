/** The definition of a command: its words for `--help`, its arguments and options, and the function that does it. */
import type { Output } from "../terminal/output.ts";
import type { Service } from "../service/service.ts";
import type { World } from "../base/world.ts";

/** An option of a command. Its flag follows from its name in the table: `allowDrop` is `--allow-drop`. */
export interface Option<Value> {
  kind: "flag" | "value" | "values";
  /** The placeholder of the value in `--help`: `file`. Empty for a flag. */
  placeholder: string;
  description: string;
  /** The values that there are; undefined for any. */
  choices?: readonly string[];
  /** Stands for the type of the value alone, and is never set. */
  readonly type?: Value;
}

/** Describes an option without a value. */
export const flag = (description: string): Option<boolean> => ({
  kind: "flag",
  placeholder: "",
  description,
});

/** Describes an option with one value. */
export const value = (placeholder: string, description: string): Option<string | undefined> => ({
  kind: "value",
  placeholder,
  description,
});

/** Describes an option with one value among a few. */
export const choice = <Choice extends string>(
  placeholder: string,
  description: string,
  choices: readonly Choice[],
): Option<Choice | undefined> => ({ kind: "value", placeholder, description, choices });

/** Describes an option that may be given more than once. */
export const values = (placeholder: string, description: string): Option<string[]> => ({
  kind: "values",
  placeholder,
  description,
});

/** An argument of a command: what stands behind its name without a flag. */
export interface Argument {
  name: string;
  description: string;
  isRequired: boolean;
}

export type Options = Readonly<Record<string, Option<unknown>>>;
export type Given<Table extends Options> = {
  [Name in keyof Table]: Table[Name] extends Option<infer Value> ? Value : never;
};

/** The things that a command works with. */
export interface Context<Table extends Options = Options> {
  /** The arguments by their names; undefined where one was left out. */
  args: Readonly<Record<string, string | undefined>>;
  options: Given<Table>;
  world: World;
  output: Output;
  /**
   * Returns the service and space that the caller means. On a terminal it asks for what is missing.
   * @throws Failure when an option or an environment variable is missing
   */
  connect: () => Promise<Service>;
}

/** The result of a command. */
export interface Outcome {
  /** The document that `--json` prints. */
  json: unknown;
  /** The words for a person, printed on standard output; without any, nothing is printed. */
  words?: string;
  /** 0 when it is done, 1 when some of it failed, 2 for a plan with changes. */
  exitCode?: 0 | 1 | 2;
}

export interface Example {
  /** The line without `silverprint`: `plan --check`. */
  line: string;
  /** The effect of the line, as a short phrase. */
  does: string;
}

export interface Command<Table extends Options = Options> {
  name: string;
  /** One line, for the list of commands. */
  summary: string;
  /** Further words above the options in `--help`. */
  description?: string;
  args?: readonly Argument[];
  options: Table;
  examples: readonly Example[];
  run(context: Context<Table>): Promise<Outcome>;
}

/** Returns the command, with the types of its options forgotten: the table of commands holds all alike. */
export const defineCommand = <const Table extends Options>(command: Command<Table>): Command => command;
