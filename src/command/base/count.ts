/** Reads all of something, and returns how many there were. */
export async function countOf(all: AsyncIterable<unknown>): Promise<number> {
  const iterator = all[Symbol.asyncIterator]();
  let count = 0;
  while ((await iterator.next()).done !== true) count += 1;
  return count;
}
