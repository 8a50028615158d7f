/** Finds out that a write failed because the database, or the account's storage, is full. D1 gives no code. */
const WORDS = ["Exceeded maximum DB size", "Exceeded maximum account storage", "SQLITE_FULL"];

export const isDatabaseFull = (error: unknown): boolean => {
  for (let e = error; e instanceof Error; e = e.cause) {
    const { message } = e;
    if (WORDS.some((words) => message.includes(words))) return true;
  }
  return false;
};
