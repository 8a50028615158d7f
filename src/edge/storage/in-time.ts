/** Waits for `work` for at most `ms`. Late work goes on, but its result is ignored. @throws Error when it is late */
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
