/** Pictures as Firefox shows them on a display of any colour space. Its canvas has sRGB alone, its screenshots do not. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PATIENCE_MS = 240_000;

/**
 * Returns a screenshot, a PNG whose samples are those of the display: the pictures one below the other, from the top
 * left on.
 * @param command the program of Firefox
 * @param display the ICC profile of the display
 * @param size the size of the window, in which all pictures must have room
 */
export function firefoxScreenshot(
  command: string,
  pictures: readonly { type: string; bytes: Uint8Array }[],
  display: Uint8Array,
  size: { width: number; height: number },
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "silverprint-firefox-"));
  const inFolder = (name: string, content: string | Uint8Array): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  try {
    const preferences = {
      "browser.aboutwelcome.enabled": false,
      "browser.shell.checkDefaultBrowser": false,
      "datareporting.policy.dataSubmissionEnabled": false,
      "gfx.color_management.mode": 1,
      "gfx.color_management.display_profile": inFolder("display.icc", display),
    };
    const lines = Object.entries(preferences).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`,
    );
    inFolder("user.js", lines.join(""));
    const images = pictures.map(
      ({ type, bytes }) => `<img src="data:${type};base64,${Buffer.from(bytes).toString("base64")}">`,
    );
    const style = "<style>body { margin: 0 } img { display: block }</style>";
    const page = inFolder("page.html", `<!doctype html><title>pictures</title>${style}${images.join("")}`);
    const shot = join(folder, "shot.png");
    execFileSync(
      command,
      [
        ...["--headless", "--no-remote", "--profile", folder, "--screenshot", shot],
        ...[`--window-size=${size.width},${size.height}`, `file://${page}`],
      ],
      { stdio: "ignore", timeout: PATIENCE_MS },
    );
    return readFileSync(shot);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
