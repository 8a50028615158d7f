/** Polls per wait: about a minute, whatever the test makes of the clock. */
const POLLS_MAX = 3000;
const POLL_MS = 20;

/**
 * Repeats a check until it holds. Unlike `vi.waitFor`, it waits long enough for a slow machine, and it does not move a
 * clock that the test holds.
 * @throws what the last check threw
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  for (let polls = 1; ; polls++) {
    try {
      return await check();
    } catch (error) {
      if (polls === POLLS_MAX) throw error;
      await scheduler.wait(POLL_MS);
    }
  }
}
