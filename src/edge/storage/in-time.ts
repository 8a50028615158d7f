/** @throws Error when `work` takes longer than `ms`, else what it throws. The work itself goes on, unheard. */
export async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  work.catch(() => undefined);
  let timer!: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
