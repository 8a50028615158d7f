/** Work on many numbers, some at a time. */

const AT_ONCE = 4;

/** Does work for each number from 0 to `count - 1`, four at a time. */
export async function forEach(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const line = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
}
