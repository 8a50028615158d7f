/**
 * The types of frameworks that this folder uses, so that type checks need no framework installed. Users get the
 * frameworks' own declarations instead, and `npm run test:frameworks` compiles against those.
 */
declare module "next" {
  export interface NextConfig {
    images?: {
      loader?: "default" | "imgix" | "cloudinary" | "akamai" | "custom";
      loaderFile?: string;
      deviceSizes?: number[];
      imageSizes?: number[];
      qualities?: number[];
    };
  }
}

declare module "next/image" {
  export interface ImageLoaderProps {
    src: string;
    width: number;
    quality?: number;
  }
}

declare module "@nuxt/image" {
  interface ResolvedImageModifiers {
    width: number;
    height: number;
    fit: string;
    format: string;
    quality: string | number;
    background: string;
    blur: number;
  }
  export interface ImageProvider<T> {
    getImage: (
      src: string,
      options: { modifiers: Partial<ResolvedImageModifiers> } & T,
      context: unknown,
    ) => { url: string };
  }
}

declare module "astro" {
  interface ImageMetadata {
    src: string;
    width: number;
    height: number;
    format: string;
  }
  interface ImageTransform {
    src: ImageMetadata | string;
    width?: number | undefined;
    height?: number | undefined;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as Astro declares it
    [key: string]: any;
  }
  interface UnresolvedSrcSetValue {
    transform: ImageTransform;
    descriptor?: string;
  }
  interface ImageConfig {
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as Astro declares it
    service: { config: Record<string, any> };
  }
  // Astro hands the configuration over; tests may leave it out.
  export interface ExternalImageService {
    validateOptions?: (options: ImageTransform, imageConfig?: ImageConfig) => ImageTransform;
    getURL: (options: ImageTransform, imageConfig?: ImageConfig) => string;
    getSrcSet?: (options: ImageTransform, imageConfig?: ImageConfig) => UnresolvedSrcSetValue[];
    getHTMLAttributes?: (options: ImageTransform) => Record<string, unknown>;
    getRemoteSize?: (url: string) => Promise<Omit<ImageMetadata, "src">>;
  }
}

declare module "unpic" {
  export interface Operations {
    width?: number | string;
    height?: number | string;
    format?: string;
    quality?: number | string;
  }
  export type TransformerFunction<TOperations extends Operations, TOptions> = TOptions extends undefined
    ? (src: string | URL, operations: TOperations) => string
    : (src: string | URL, operations: TOperations, options?: TOptions) => string;
}
