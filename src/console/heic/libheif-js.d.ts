/** The part of libheif-js that the decoder uses. Its own types do not know the classes that it adds. */
declare module "libheif-js/libheif-wasm/libheif.js" {
  interface Image {
    is_primary: () => boolean;
    has_alpha_channel: () => boolean;
    get_width: () => number;
    get_height: () => number;
    /** RGBA into `pixels`, upright; null when it fails. */
    display: (pixels: ImageData, done: (pixels: ImageData | null) => void) => void;
  }
  /** Starts libheif, which is ready on return, because the module's bytes are given. */
  export default function libheif(options: { wasmBinary: ArrayBuffer }): {
    HeifDecoder: new () => { decode: (file: Uint8Array) => Image[] };
  };
}
