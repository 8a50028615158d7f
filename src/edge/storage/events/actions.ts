/**
 * The actions of events, by the kind of their target. The audit, the events of webhooks and the console's names follow
 * from this list; a new kind of change is one word here.
 */
const ACTIONS_OF = {
  record: [
    "created",
    "updated",
    "published",
    "unpublished",
    "scheduled",
    "trashed",
    "restored",
    "removed",
    "refused",
  ],
  media: ["created", "replaced", "updated", "trashed", "restored", "removed", "refused"],
  remote: ["removed", "refused"],
  upload: ["created", "removed", "refused"],
  model: ["created", "scheduled", "changed", "withdrawn", "removed", "refused"],
  key: ["created", "changed", "removed", "refused"],
  settings: ["changed", "refused"],
  space: ["created", "renamed", "changed", "moving", "moved", "stayed", "removed", "refused"],
  trash: ["refused"],
  member: ["created", "changed", "removed", "refused"],
  token: ["created"],
  session: ["created", "ended", "refused"],
  webhook: ["created", "changed", "removed", "disabled", "refused"],
  export: ["created", "refused"],
  import: ["created", "refused"],
  backup: ["created", "restored", "removed", "refused"],
  audit: ["refused"],
} as const;

type ActionsOf = typeof ACTIONS_OF;

/** The kinds of what an event is about. */
export type TargetKind = keyof ActionsOf;
export const TARGET_KINDS = Object.keys(ACTIONS_OF) as TargetKind[];

/** The verbs that an event of a target may have. */
export type VerbOf<Kind extends TargetKind> = ActionsOf[Kind][number];

/** The name of an event: `record.updated`. */
export type Action = { [Kind in TargetKind]: `${Kind}.${VerbOf<Kind>}` }[TargetKind];

export const ACTIONS = TARGET_KINDS.flatMap((kind) =>
  ACTIONS_OF[kind].map((verb) => `${kind}.${verb}` as Action),
);
