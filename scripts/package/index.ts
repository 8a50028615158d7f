/**
 * `npm run package`: writes dist/package, the npm package that users install. It contains the client as JavaScript with
 * types, and no source of the Workers.
 *
 *     node scripts/run.mjs scripts/package/index.ts [folder]
 */
import { resolve } from "node:path";
import { writePackage } from "./write-package.ts";

const folder = resolve(process.argv[2] ?? "dist/package");
const { files } = await writePackage(folder);
console.log(`${folder}\n${files.map((name) => `  ${name}`).join("\n")}`);
console.log("Publish it with: npm publish dist/package");
