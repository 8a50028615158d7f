/** The WebAssembly module that encodes WebP (assembly/encoder/index.ts), and the interface of its exports. */
export interface WebpExports {
  configure(
    width: number,
    height: number,
    channels: number,
    quality: number,
    stagedRows: number,
    tokenBytes: number,
    tileBits: number,
    bandRows: number,
    reach: number,
    alphaTokenBytes: number,
    losslessTokenBytes: number,
    roundedBits: number,
    outBytes: number,
  ): number;
  /** Makes the encoder quick. The caller calls it before `configure`. */
  hurry(): void;
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
  groupCodesAddress(): number;
  tileGroupsAddress(): number;
  startAlpha(pending: number, count: number, tileBits: number): void;
  emitAlpha(): number;
  flushTokens(): number;
  startLossless(mostBytes: number): number;
  codeLossless(): number;
  colourTokensAddress(): number;
  colourTokensEnd(): number;
  paletteColours(): number;
  paletteAddress(): number;
  paletteBundleBits(): number;
  hasGreenSubtracted(): number;
  colourModesAddress(): number;
  crossFactorsAddress(): number;
  colourCacheBits(): number;
  losslessWidth(): number;
  hasTranslucentColour(): number;
  startColours(pending: number, count: number, tileBits: number): void;
  emitLossless(): number;
}
