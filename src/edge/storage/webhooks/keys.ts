/**
 * The keys of webhooks' rows (RULES 15.1). The id of a webhook is unique in its space alone, because an import keeps ids, and
 * two spaces of a database may hold the same import. The row of a webhook that was made here has its id as key. That of
 * one that an import brought has the id of its space behind it.
 */
const ID_CHARACTERS = 26;

/** Returns the key of a webhook that an import brings. */
export const importedKey = (id: string, spaceId: string): string => `${id}.${spaceId}`;

/** Returns the id that callers and receivers know. */
export const idOfKey = (key: string): string => key.slice(0, ID_CHARACTERS);
