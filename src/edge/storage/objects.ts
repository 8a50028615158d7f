/** Bytes in R2 by their key. A key's bytes never change (RULES 4.5, 7.6). */

export interface ByteRange {
  /** First byte, from 0. */
  offset: number;
  /** Bytes. */
  length: number;
}

/** Bytes of an object; null when it is not there. */
export async function sizeOfObject(bucket: R2Bucket, key: string): Promise<number | null> {
  return (await bucket.head(key))?.size ?? null;
}

/** The bytes of an object, or of a part of it; null when it is not there. A caller that does not read cancels. */
export async function openObject(
  bucket: R2Bucket,
  key: string,
  range?: ByteRange,
): Promise<ReadableStream<Uint8Array> | null> {
  const object = await bucket.get(key, range ? { range } : {});
  return (object?.body as ReadableStream<Uint8Array> | undefined) ?? null;
}
