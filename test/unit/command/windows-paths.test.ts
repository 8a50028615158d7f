/** Paths of Windows: what the command does with them, in a process whose `node:path` is that of Windows. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

/** Gives every module the paths of Windows. `path` without `node:` stays as it is. */
const HOOKS = `
import { registerHooks } from "node:module";
const code = 'import { win32 } from "path"; export const { join, resolve, basename, dirname, relative, isAbsolute, sep } = win32;';
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "node:path"
      ? { url: "data:text/javascript," + encodeURIComponent(code), shortCircuit: true }
      : next(specifier, context),
});`;

/** Runs code there, and returns the value of its expression. */
async function there<T>(imports: string, expression: string): Promise<T> {
  const code = `${HOOKS}
    const load = (path) => import(new URL("./src/command/" + path, "file://" + process.cwd() + "/"));
    ${imports}
    console.log(JSON.stringify(${expression}));`;
  const args = ["--no-warnings", "--input-type=module", "-e", code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: process.cwd() });
  return JSON.parse(stdout) as T;
}

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

it("the folder of an export is joined with backslashes, with a drive, a share or a space in it", async () => {
  const paths = await there<string[][]>(
    'const { ExportFolder } = await load("exchange/folder.ts");',
    `[String.raw\`C:\\exports\\my site\`, String.raw\`\\\\server\\share\\site\`].map((path) => {
      const folder = new ExportFolder(path);
      return [folder.linesPath, folder.masterPath({ id: "${ID}", masterVersion: 2 })];
    })`,
  );
  expect(paths).toEqual([
    ["C:\\exports\\my site\\export.ndjson", `C:\\exports\\my site\\masters\\${ID}-2`],
    ["\\\\server\\share\\site\\export.ndjson", `\\\\server\\share\\site\\masters\\${ID}-2`],
  ]);
});

describe("a file that an export names", () => {
  const own = ["images/a.png", "images\\a.png", ".\\a.png", "x\\..\\a.png", "..a.png"];
  const others = [
    ...["..\\secret.png", "images\\..\\..\\secret.png", "../secret.png", "C:\\secret.png", "D:\\secret.png"],
    ...["D:secret.png", "\\secret.png", "\\\\server\\share\\secret.png", ".", "..", ""],
  ];

  it("is read below the folder of the export, and nowhere else", async () => {
    const found = await there<boolean[]>(
      'const { isBelow } = await load("importers/files/below.ts");',
      `${JSON.stringify([...own, ...others])}.map((path) => isBelow(String.raw\`C:\\exports\\site\`, path))`,
    );
    expect(found).toEqual([...own.map(() => true), ...others.map(() => false)]);
  });
});

it("a document of models is named with its drive when it is not there", async () => {
  const message = await there<string>(
    `const { findConfig } = await load("config/load.ts");
     let message = "";
     try { findConfig("C:/site", String.raw\`models\\silverprint.config.ts\`); } catch (error) { ({ message } = error); }`,
    "message",
  );
  expect(message).toBe("C:\\site\\models\\silverprint.config.ts is not there.");
});
