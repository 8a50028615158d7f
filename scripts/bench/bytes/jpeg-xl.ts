/** JPEG XL by libjxl's own programs (Debian's libjxl-tools), where they are installed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const MS_PER_SECOND = 1000;
/** The output of a shell's `times` about its children: the user's and the system's minutes and seconds. */
const CHILDREN_TIMES = /\n(\d+)m([\d.]+)s (\d+)m([\d.]+)s\s*$/;

export const hasJpegXl = (): boolean =>
  ["cjxl", "djxl"].every((name) => spawnSync(name, ["--version"]).status === 0);

/** @throws Error when the program fails */
function run(program: string, input: Uint8Array, names: [input: string, output: string], flags: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "silverprint-jxl-"));
  try {
    const [from, to] = [join(folder, names[0]), join(folder, names[1])];
    writeFileSync(from, input);
    const script = '"$@" 2>&1 >/dev/null; status=$?; times; exit $status';
    const ran = spawnSync("sh", ["-c", script, "sh", program, from, to, ...flags], { encoding: "utf8" });
    if (ran.status !== 0) throw new Error(`${program} ended with ${ran.status}: ${ran.stdout}`);
    const [, userMinutes, user, systemMinutes, system] = CHILDREN_TIMES.exec(ran.stdout) ?? [];
    const seconds = 60 * (Number(userMinutes) + Number(systemMinutes)) + Number(user) + Number(system);
    return { file: readFileSync(to), ms: seconds * MS_PER_SECOND };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param png the picture
 * @param quality 1 to 100, on cjxl's scale; 100 has no loss
 * @returns the file, and the processor time of the program in ms, to 10 ms, reading the PNG included
 */
export const encodeJpegXl = (png: Uint8Array, quality: number): { file: Buffer; ms: number } =>
  run("cjxl", png, ["in.png", "out.jxl"], ["-q", String(quality), "-e", "7", "--num_threads=0"]);

/** @returns a PNG of the picture */
export const decodeJpegXl = (file: Uint8Array): Buffer => run("djxl", file, ["in.jxl", "out.png"], []).file;
