/** The WebAssembly module that encodes JPEG (assembly/encoder/index.ts), and the interface of its exports. */
import module from "../../wasm/jpeg-encoder.wasm";

/** A boolean of AssemblyScript. */
type Flag = number;

export interface JpegEncoderModule {
  configure(
    width: number,
    height: number,
    channels: number,
    halved: Flag,
    full: Flag,
    stagedRows: number,
    tokenBytes: number,
    outBytes: number,
  ): Flag;
  prepare(lumaLambda: number, chromaLambda: number, maskAdded: number, maskPower: number): Flag;
  used(): number;
  stagingAddress(): number;
  tableAddress(index: number): number;
  codesAddress(): number;
  outputAddress(): number;
  push(from: number, count: number): number;
  finish(): Flag;
  meanLostChroma(rows: number): number;
  dcCountsAddress(component: number): number;
  acCountsAddress(component: number, band: number): number;
  openScan(component: number, from: number, to: number): void;
  countPart(): Flag;
  emit(): number;
  isDone(): Flag;
  countsAddress(): number;
  openAll(halved: Flag, dcOnly: Flag): void;
  countRows(): Flag;
  emitRows(): number;
  freeTokens(): void;
  flush(): number;
}

/** Indices of the module's components: luma alone, all beside halved chroma, and all beside chroma at full size. */
export const GRAY = [0] as const;
export const HALVED = [5, 1, 2] as const;
export const FULL = [0, 3, 4] as const;

/** First and last coefficient in zigzag order. */
export type BandRange = readonly [from: number, to: number];

/** The bands of AC coefficients whose symbols the module counts and weighs while it chooses levels. */
export const BANDS: readonly BandRange[] = [
  [1, 2],
  [3, 63],
];
/** Other divisions of luma into scans, and of chroma. */
export const LUMA_DIVISIONS: readonly (readonly BandRange[])[] = [
  [[1, 63]],
  [
    [1, 5],
    [6, 63],
  ],
  [
    [1, 8],
    [9, 63],
  ],
];
export const CHROMA_DIVISIONS: readonly (readonly BandRange[])[] = [[[1, 63]]];

/** Bytes of the 64 steps of 16 bits with which a table of the module begins. 64 weights of 32 bits follow. */
export const STEPS_BYTES = 128;

export const newJpegEncoder = (memory: WebAssembly.Memory): JpegEncoderModule =>
  new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as JpegEncoderModule;
