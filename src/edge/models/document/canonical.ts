/** Writes a value as JSON that is the same whatever the order of its members was. Pure. */
export const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, held: unknown) =>
    typeof held === "object" && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).sort(([one], [other]) => (one < other ? -1 : 1)))
      : held,
  );
