/** Objects in R2, by key. The bytes of a key never change (RULES 4.5, 7.6). */

export interface ByteRange {
  /** The first byte, from 0. */
  offset: number;
  /** The number of bytes. */
  length: number;
}

/** Returns the length of an object in bytes; null when it does not exist. */
export async function sizeOfObject(bucket: R2Bucket, key: string): Promise<number | null> {
  return (await bucket.head(key))?.size ?? null;
}

/**
 * Returns the bytes of an object or of a range; null when it does not exist. A caller that does not read must cancel
 * them.
 */
export async function openObject(
  bucket: R2Bucket,
  key: string,
  range?: ByteRange,
): Promise<ReadableStream<Uint8Array> | null> {
  const object = await bucket.get(key, range ? { range } : {});
  return (object?.body as ReadableStream<Uint8Array> | undefined) ?? null;
}

/** Opens a whole object, with its length. Null when it does not exist. */
export const wholeObject = (bucket: R2Bucket, key: string): Promise<R2ObjectBody | null> => bucket.get(key);
