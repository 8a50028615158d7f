/** Butteraugli of two pictures by libjxl's own program (Debian's libjxl-devtools), where it is installed. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bitmap } from "../../harness/ssim.ts";

const PROGRAM = "butteraugli_main";
const THREE_NORM = /^3-norm: ([\d.]+)$/m;

export const hasButteraugli = (): boolean => spawnSync(PROGRAM).error === undefined;

/** Returns a binary PPM, which has no room for a profile: the program takes it for sRGB. */
const ppm = ({ width, height, data }: Bitmap): Buffer =>
  Buffer.concat([Buffer.from(`P6\n${width} ${height}\n255\n`), data]);

/**
 * Returns the 3-norm of the distances of all pixels, 0 for equal pictures.
 * @param a, b RGB of the same size
 * @throws Error when the program fails
 */
export function butteraugli(a: Bitmap, b: Bitmap): number {
  const folder = mkdtempSync(join(tmpdir(), "silverprint-butteraugli-"));
  try {
    const files = [join(folder, "a.ppm"), join(folder, "b.ppm")] as const;
    writeFileSync(files[0], ppm(a));
    writeFileSync(files[1], ppm(b));
    const { stdout, stderr } = spawnSync(PROGRAM, files, { encoding: "utf8" });
    const [, distance] = THREE_NORM.exec(stdout) ?? [];
    if (distance === undefined) throw new Error(`${PROGRAM} gave no distance: ${stderr}`);
    return Number(distance);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
