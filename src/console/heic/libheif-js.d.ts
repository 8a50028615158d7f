/** Of libheif-js, whose own types do not know the classes that it adds, what the decoder uses. */
declare module "libheif-js/libheif-wasm/libheif.js" {
  interface Image {
    is_primary: () => boolean;
    has_alpha_channel: () => boolean;
    get_width: () => number;
    get_height: () => number;
    /** RGBA into `pixels`, upright; null when it fails. */
    display: (pixels: ImageData, done: (pixels: ImageData | null) => void) => void;
  }
  /** Ready when it returns, because the module's bytes are given. */
  export default function libheif(options: { wasmBinary: ArrayBuffer }): {
    HeifDecoder: new () => { decode: (file: Uint8Array) => Image[] };
  };
}
