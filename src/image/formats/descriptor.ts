/** The form of an entry of the registry of formats. */

/** The properties of a format as a master. */
export interface MasterTraits {
  /** Whether an animation in the format is read frame by frame. If not, it has no variants and is answered itself. */
  readonly readsFrames: boolean;
}

/** The properties of a format as a variant. */
export interface VariantTraits {
  /**
   * The masters that it is made from: every one, so that `fm` can request it, or only those in the same format, as for
   * GIF (RULES 6.1).
   */
  readonly from: "any" | "own";
  /**
   * The place among the formats that `auto=format` tries, 1 for the first. A client accepts the format if its `Accept`
   * header has the MIME type. Null if `auto=format` never leads to it.
   */
  readonly acceptRank: number | null;
  /** Whether it keeps alpha. If not, the picture is composed on white. */
  readonly hasAlpha: boolean;
  /** Whether it keeps the frames of an animation. */
  readonly holdsFrames: boolean;
  /** Whether its encoder has a scale of quality, which is then part of the variant's name (RULES 5.6). */
  readonly hasQuality: boolean;
  /** Whether its files hold statements about rights, and a profile (RULES 9.9, 9.10). */
  readonly embeds: boolean;
  /** The longest side that decoders of the format take, in pixels. */
  readonly maxSidePixels: number;
  /** The largest variant in pixels, without and with alpha (RULES 9.5). */
  readonly maxPixels: { readonly opaque: number; readonly alpha: number };
}

/** One format. */
export interface FormatDescriptor {
  /** The name as people write it. */
  readonly title: string;
  /** The extension of file names, without the dot. Names of variants and R2 keys have it, so it never changes. */
  readonly extension: string;
  readonly mime: string;
  /** Whether a file describes a drawing. It is checked and rewritten when it is stored, and can be drawn at any size. */
  readonly isVector: boolean;
  /** The Content-Security-Policy with which files are served; null for a format in which nothing can run. */
  readonly policy: string | null;
  /** Null for a format that is never stored as a master. */
  readonly master: MasterTraits | null;
  /** Null for a format that variants never have. */
  readonly variant: VariantTraits | null;
}
