/** The writes that the service has acknowledged, and those whose answer was lost. */

export interface Entry {
  id: string;
  /** The texts that the record may have: one, or two while a write of it is unanswered. */
  texts: Set<string>;
  state: "there" | "trashed" | "unknown";
  isPublished: boolean;
}

export class Ledger {
  /** Records by their mark, which no other record has. */
  readonly records = new Map<string, Entry>();
  /** Media by their file name, which no other item has: their ids. */
  readonly media = new Map<string, string>();
  /** Names of files whose upload had no answer in the end. */
  readonly unansweredMedia = new Set<string>();
}

export interface Found {
  id: string;
  mark: string;
  text: string;
}

function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

/** Compares what a space has with its ledger. @returns what is lost, double or wrong */
export function differences(
  ledger: Ledger,
  records: Found[],
  media: { id: string; filename: string }[],
): string[] {
  const faults: string[] = [];
  const byMark = grouped(records, ({ mark }) => mark);
  for (const [mark, { id, texts, state }] of ledger.records) {
    const found = byMark.get(mark) ?? [];
    if (found.length > 1) faults.push(`record ${mark} is there ${found.length} times`);
    const [one] = found;
    if (!one) {
      if (state === "there") faults.push(`record ${id} (${mark}) is lost`);
    } else if (state === "trashed") faults.push(`record ${id} is not in the trash`);
    else if (!texts.has(one.text))
      faults.push(`record ${id} has "${one.text}", not ${[...texts].join(" or ")}`);
    byMark.delete(mark);
  }
  for (const mark of byMark.keys()) faults.push(`record ${mark} was never acknowledged under this mark`);
  const byName = grouped(media, ({ filename }) => filename);
  for (const [name, id] of ledger.media) {
    const found = byName.get(name) ?? [];
    if (found.length !== 1 || found[0]?.id !== id)
      faults.push(`media ${name} is there ${found.length} times`);
    byName.delete(name);
  }
  for (const [name, found] of byName)
    if (!ledger.unansweredMedia.has(name) || found.length > 1)
      faults.push(`media ${name} is there ${found.length} times, and was not acknowledged`);
  return faults;
}
