/** The lines of the audit in words, and the pages that their targets lead to. */
import type { AuditAction, AuditLine } from "../api/audit.ts";

const KIND_WORDS: Record<AuditLine["target"]["kind"], string> = {
  record: "Record",
  media: "Picture",
  remote: "Picture of another server",
  upload: "Upload",
  model: "Model",
  key: "Key",
  settings: "Settings",
  space: "Space",
  trash: "Trash",
  member: "Member",
  token: "Preview token",
  session: "Sign-in",
  webhook: "Webhook",
  export: "Export",
  import: "Import",
  backup: "Backup",
  audit: "Audit",
};

const VERB_WORDS: Partial<Record<string, string>> = {
  scheduled: "planned",
  moving: "move ordered",
  stayed: "move given up",
};

/** Returns an action as people read it: "Record updated". */
export function actionWords(action: AuditAction): string {
  const [kind, verb = ""] = action.split(".");
  return `${KIND_WORDS[kind as keyof typeof KIND_WORDS]} ${VERB_WORDS[verb] ?? verb}`;
}

/** Returns a target as people read it: by its title, else by its id. */
export function targetWords({ target }: AuditLine): string {
  const { kind, id, model, title } = target;
  const name = title || id;
  return kind === "record" && model !== undefined ? `${model} / ${name}` : name;
}

const isGone = (action: AuditAction): boolean => /\.(?:removed|trashed)$/.test(action);

/** Returns the console's page of a target; null where there is none, or the target is gone. */
export function targetPath({ action, target }: AuditLine): string | null {
  const { kind, id, model, typeModel } = target;
  if (action.endsWith(".trashed")) return "trash";
  if (isGone(action) || action.endsWith(".refused")) return null;
  switch (kind) {
    case "record":
      return typeModel && model ? `content/${typeModel}/${model}/${id}` : null;
    case "media":
      return `media/${id}`;
    case "model":
      return typeModel ? `models/${typeModel}/${id}` : null;
    case "key":
      return "keys";
    case "settings":
    case "space":
      return "settings";
    default:
      return null;
  }
}
