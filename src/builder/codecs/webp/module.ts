/** The WebAssembly module that encodes lossy WebP (assembly/encoder/index.ts), and the interface of its exports. */
export interface WebpExports {
  configure(
    width: number,
    height: number,
    channels: number,
    quality: number,
    stagedRows: number,
    tokenBytes: number,
    alphaTokenBytes: number,
    outBytes: number,
  ): number;
  stagingAddress(): number;
  outputAddress(): number;
  used(): number;
  push(from: number, end: number): number;
  finish(): number;
  emit(): number;
  emitFirst(): number;
  flush(): number;
  carriesOver(): number;
  isAlphaFull(): number;
  isAllOpaque(): number;
  alphaCountsAddress(): number;
  alphaCodesAddress(): number;
  startAlpha(pending: number, count: number): void;
  emitAlpha(): number;
  flushAlpha(): number;
}
