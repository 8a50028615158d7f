/** The WebAssembly module that encodes lossy WebP (assembly/encoder/index.ts), and the interface of its exports. */
export interface WebpExports {
  configure(
    width: number,
    height: number,
    channels: number,
    quality: number,
    stagedRows: number,
    tokenBytes: number,
    alphaTileBits: number,
    alphaRows: number,
    alphaReach: number,
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
  codeAlpha(isFixed: boolean): number;
  areAlphaTokensFull(): number;
  isAlphaGradient(): number;
  alphaModesAddress(): number;
  alphaTokensAddress(): number;
  alphaTokensEnd(): number;
  isAllOpaque(): number;
  alphaCodesAddress(): number;
  alphaGroupsAddress(): number;
  startAlpha(pending: number, count: number, tileBits: number): void;
  emitAlpha(): number;
  flushAlpha(): number;
}
