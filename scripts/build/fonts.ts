/**
 * Copies the files of the builder's fonts, and their licences, into dist/fonts (not in the repository), which is the
 * folder of the builder's static assets.
 */
import { copyFileSync, existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Face } from "../../src/image/formats/svg/css/font-faces.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGES = join(ROOT, "node_modules/@expo-google-fonts");
const TARGET = join(ROOT, "dist/fonts");

/** By the name of the copy: the file in its package. */
const FILES: Record<`${Face}.ttf` | `LICENSE${"" | "-symbols"}.txt`, string> = {
  "regular.ttf": "noto-sans/400Regular/NotoSans_400Regular.ttf",
  "bold.ttf": "noto-sans/700Bold/NotoSans_700Bold.ttf",
  "italic.ttf": "noto-sans/400Regular_Italic/NotoSans_400Regular_Italic.ttf",
  "symbols.ttf": "noto-sans-math/400Regular/NotoSansMath_400Regular.ttf",
  "LICENSE.txt": "noto-sans/LICENSE_FONT",
  "LICENSE-symbols.txt": "noto-sans-math/LICENSE_FONT",
};

mkdirSync(TARGET, { recursive: true });
for (const [name, source] of Object.entries(FILES)) {
  const [from, to] = [join(PACKAGES, source), join(TARGET, name)];
  // Left alone when it is there: a service that runs watches the folder.
  if (!existsSync(to) || statSync(to).size !== statSync(from).size) copyFileSync(from, to);
}
