/** A reader of a byte stream that waits for as many bytes as it is asked for. */

/** As the Streams standard has it; the runtime's types lack `min`. */
export interface ByobReader {
  read(
    view: Uint8Array<ArrayBuffer>,
    options: { min: number },
  ): Promise<{ done: boolean; value?: Uint8Array<ArrayBuffer> | undefined }>;
  cancel(): Promise<void>;
}
