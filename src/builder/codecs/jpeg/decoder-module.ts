/** The WebAssembly module that decodes JPEG (assembly/decoder/index.ts), and the interface of its exports. */
import module from "../../wasm/jpeg-decoder.wasm";
import { JpegDecodeError } from "./errors.ts";

export interface JpegDecoderModule {
  begin(): number;
  inputRoom(): number;
  inputAddress(): number;
  acceptInput(bytes: number): void;
  endInput(): void;
  step(): number;
  frameWidth(): number;
  frameHeight(): number;
  frameComponents(): number;
  componentH(index: number): number;
  componentV(index: number): number;
  storageKind(): number;
  crop(left: number, top: number, width: number, height: number): void;
  configure(
    width: number,
    height: number,
    orientation: number,
    s0: number,
    s1: number,
    s2: number,
    s3: number,
  ): number;
  rowsAddress(): number;
  rowCount(): number;
  workUnits(): number;
  highWater(): number;
}

/** @throws JpegDecodeError from any call that finds the memory at its end */
export function newJpegDecoder(memory: WebAssembly.Memory): JpegDecoderModule {
  const abort = (): never => {
    throw new JpegDecodeError("OUT_OF_MEMORY", "The decoder's memory is at its end");
  };
  return new WebAssembly.Instance(module, { env: { memory, abort } }).exports as unknown as JpegDecoderModule;
}
