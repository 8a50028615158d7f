/**
 * Attributes of `<img>`, `srcset` and `<picture>` for plain HTML and templates, and rich text as HTML. Nothing here needs
 * another package.
 */
export {
  imgAttributes,
  pictureSources,
  pictureUrl,
  preloadLinks,
  srcset,
  type ImgAttributes,
  type PictureOptions,
  type PreloadAttributes,
  type SourceAttributes,
  type SourcesOptions,
} from "./pictures/attributes.ts";
export { remoteAddress } from "./pictures/address.ts";
export type { AspectRatio, FileOptions, FocalPoint, Picture } from "./pictures/picture.ts";
export { richTextHtml, type RichTextOptions } from "./rich-text/html.ts";
export type * from "./rich-text/portable-text.ts";
