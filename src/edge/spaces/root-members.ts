/** The variable `ROOT_MEMBERS` (RULES 2.6). */

/** Returns an address as it is compared: trimmed, in lower case. */
export const comparedEmail = (email: string): string => email.trim().toLowerCase();

/** Returns the addresses whose sessions may do what the root token may. */
export const rootMembersOf = ({ ROOT_MEMBERS = "" }: { ROOT_MEMBERS?: string }): ReadonlySet<string> =>
  new Set(
    ROOT_MEMBERS.split(",")
      .map(comparedEmail)
      .filter((email) => email !== ""),
  );
