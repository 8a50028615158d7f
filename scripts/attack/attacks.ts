/** The attacks that one tenant or visitor can try. All of them run at once. */
import { contentAttacks } from "./content-attacks.ts";
import { queueAttacks } from "./queue-attacks.ts";
import type { Attack } from "./scene.ts";
import { uploadAttacks } from "./upload-attacks.ts";

export const attacks: Attack[] = [...uploadAttacks, ...contentAttacks, ...queueAttacks].toSorted((a, b) =>
  a.name < b.name ? -1 : 1,
);
