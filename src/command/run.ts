/** Runs one command line from its words to its exit code. It is the one place that prints results and errors. */
import { COMMANDS } from "./commands.ts";
import { Failure } from "./base/failure.ts";
import { failureOfSystem, isOfSystem } from "./base/system-error.ts";
import { parse, PRINTED, type Parsed } from "./program.ts";
import { connect } from "./service/connect.ts";
import { failureWords, Output } from "./terminal/output.ts";
import type { World } from "./base/world.ts";

/** Returns the JSON document of a failed command. */
const failureDocument = ({ message, next, details }: Failure): object => ({
  error: { message, next, ...(details.length > 0 && { details }) },
});

const isFailure = (error: unknown): error is Failure => error instanceof Failure;

async function runParsed({ command, args, options, common }: Parsed, world: World): Promise<number> {
  const output = new Output(world, common.json === true);
  const context = { args, options, world, output, connect: () => connect(common, output, world) };
  try {
    const { json, words, exitCode = 0 } = await command.run(context);
    if (output.isJson) world.stdout.write(`${JSON.stringify(json, null, 2)}\n`);
    else if (words !== undefined) world.stdout.write(words.endsWith("\n") ? words : `${words}\n`);
    return exitCode;
  } catch (thrown) {
    const error = isOfSystem(thrown) ? failureOfSystem(thrown) : thrown;
    if (!isFailure(error)) throw error;
    if (output.isJson) world.stdout.write(`${JSON.stringify(failureDocument(error), null, 2)}\n`);
    else world.stderr.write(failureWords(error, output));
    return 1;
  } finally {
    output.close();
  }
}

/**
 * Runs a command line and returns its exit code: 0 done, 1 failed, 2 a plan with changes.
 * @param argv the words behind `silverprint`
 */
export async function run(argv: readonly string[], world: World, commands = COMMANDS): Promise<number> {
  try {
    const parsed = parse(commands, argv, world);
    return parsed === PRINTED ? 0 : await runParsed(parsed, world);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const isJson = argv.includes("--json");
    if (isJson) world.stdout.write(`${JSON.stringify(failureDocument(error), null, 2)}\n`);
    else world.stderr.write(failureWords(error, new Output(world, isJson)));
    return 1;
  }
}
