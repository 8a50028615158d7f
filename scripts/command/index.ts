/**
 * `npm run silverprint -- COMMAND`: the command of the package, from its sources, for the service that `npm start` runs.
 * The key is taken from SILVERPRINT_KEY, else it is the root token. `npm run types -- --space NAME` is one of its commands.
 */
import { existsSync, readFileSync } from "node:fs";
import { run } from "../../src/command/run.ts";
import { worldOfProcess } from "../../src/command/base/world.ts";

function rootToken(): string | undefined {
  const given = process.env["ROOT_TOKEN"];
  if (given !== undefined) return given;
  const text = existsSync(".dev.vars") ? readFileSync(".dev.vars", "utf8") : "";
  return /^ROOT_TOKEN\s*=\s*"?([^"\r\n]+)"?\s*$/m.exec(text)?.[1];
}

const world = worldOfProcess();
const env = {
  SILVERPRINT_URL: `http://localhost:${world.env["PORT"] ?? 8787}`,
  SILVERPRINT_KEY: rootToken(),
  ...world.env,
};
// npm runs scripts in the folder of package.json. Paths are meant from the folder in which the caller is.
const cwd = world.env["INIT_CWD"] ?? world.cwd;
process.exitCode = await run(process.argv.slice(2), { ...world, env, cwd });
