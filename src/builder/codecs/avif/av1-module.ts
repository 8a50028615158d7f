/** The WebAssembly module that encodes AV1 still pictures (assembly/index.ts), and the interface of its exports. */
export interface Av1Exports {
  configure(
    width: number,
    height: number,
    channels: number,
    stagedRows: number,
    planes: number,
    chromaShift: number,
    tileWidth: number,
    tileHeight: number,
    baseIndex: number,
    chromaDc: number,
    chromaAc: number,
    chromaWeight: number,
    matrix: number,
  ): number;
  expectDrawing(): void;
  hurry(): void;
  reserve(bytes: number): number;
  codeAlpha(rows: number): void;
  samples(): number;
  seeAlpha(address: number): void;
  isOpaque(): number;
  exchange(other: number): void;
  stagingAddress(): number;
  outputAddress(): number;
  used(): number;
  push(from: number, end: number): number;
  encode(): number;
  heldTile(): number;
  mustRelease(): number;
  release(): void;
  reconstruction(plane: number): number;
  reconstructionStride(): number;
}
