/** The meaning of the roles of keys, in words. */
import type { KeyRole } from "../api/keys.ts";

export const ROLE_WORDS: Record<KeyRole, string> = {
  read: "Reads content and media: for websites.",
  preview: "Reads drafts too: for previews.",
  write: "Writes content and uploads media: for editors.",
  admin: "Changes models, settings and keys too.",
};
export const KEY_ROLES = Object.keys(ROLE_WORDS) as KeyRole[];
