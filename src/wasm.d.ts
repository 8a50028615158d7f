declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.ttf" {
  const bytes: ArrayBuffer;
  export default bytes;
}

declare module "*.txt" {
  const text: string;
  export default text;
}

declare module "*.html" {
  const text: string;
  export default text;
}
