/** `npm run check`: types, lint, walls and format. It runs every check, even after one has failed. */
import { spawnSync } from "node:child_process";

const checks: [name: string, ...command: string[]][] = [
  ["types of the Workers", "tsc", "-p", "tsconfig.json"],
  ["types of the console", "tsc", "-p", "tsconfig.console.json"],
  ["types of scripts and tests", "tsc", "-p", "tsconfig.node.json"],
  ["types of AssemblyScript", "node", "scripts/check/assembly-types.ts"],
  ["lint", "eslint", "."],
  ["walls between rooms", "depcruise", "--config", ".dependency-cruiser.mjs", "src", "scripts"],
  ["rooms and floors", "node", "scripts/check/rooms.ts"],
  ["format", "prettier", "--check", "--log-level", "warn", "."],
];

let failed = 0;
for (const [name, command = "", ...args] of checks) {
  const { status } = spawnSync(`node_modules/.bin/${command}`, args, { stdio: "inherit" });
  console.log(`${status === 0 ? "ok    " : "FAILED"} ${name}`);
  if (status !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);
