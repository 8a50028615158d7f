/** Runs work on the items of a stream, some at the same time. */

/** @throws what the first work that fails throws, once none is under way */
export async function sideBySide<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  most: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const item of items) {
    if (failures.length > 0) break;
    const one: Promise<void> = work(item)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(one));
    running.add(one);
    if (running.size >= most) await Promise.race(running);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
}
