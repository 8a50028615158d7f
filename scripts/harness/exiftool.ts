/** The metadata of files as exiftool reads them: everything that it knows, wherever it hides. */
import { spawnSync } from "node:child_process";

/** The tags of a file, by their groups and names: `XMP-dc:Creator`. */
export type Tags = Readonly<Record<string, unknown>>;

export const hasExiftool = (): boolean => spawnSync("exiftool", ["-ver"]).error === undefined;

/**
 * Returns the tags of each file, in their order: unknown ones, repeated ones, and those of embedded files too.
 * @throws Error when exiftool fails
 */
export function tagsOf(paths: readonly string[]): Tags[] {
  if (paths.length === 0) return [];
  const flags = ["-json", "-G1", "-a", "-U", "-ee3", "-api", "RequestAll=3", "-charset", "filename=utf8"];
  const { stdout, stderr, error } = spawnSync("exiftool", [...flags, ...paths], {
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  if (error || stdout === "") throw new Error(`exiftool failed: ${error?.message ?? stderr}`);
  return JSON.parse(stdout) as Tags[];
}

/** Runs exiftool to write tags into files. @throws Error when it fails */
export function writeTags(flags: readonly string[], paths: readonly string[]): void {
  const { status, stderr } = spawnSync("exiftool", ["-overwrite_original", ...flags, ...paths], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`exiftool wrote nothing: ${stderr}`);
}

/** Groups of what exiftool tells of the file itself, of the pixels, and of what it derives from other tags. */
const GROUPS_OF_THE_FILE = ["ExifTool", "System", "Composite", "JFIF", "ICC-header", "ICC_Profile"];

/** The headers of files without metadata, and what exiftool computes of a file. */
const HEADERS = new Set(
  [
    ["File", "FileType FileTypeExtension MIMEType ExifByteOrder ImageWidth ImageHeight EncodingProcess"],
    ["File", "BitsPerSample ColorComponents YCbCrSubSampling"],
    ["File", "JPEGImageLength JPEGQualityEstimate JPEGDigest"],
    ["PNG", "ImageWidth ImageHeight BitDepth ColorType Compression Filter Interlace ProfileName"],
    ["RIFF", "ImageWidth ImageHeight VP8Version HorizontalScale VerticalScale WebP_Flags AlphaIsUsed"],
    ["PNG", "SRGBRendering"],
    ["RIFF", "AlphaPreprocessing AlphaFiltering AlphaCompression"],
    ["QuickTime", "MajorBrand MinorVersion CompatibleBrands HandlerType PrimaryItemReference MetaImageSize"],
    ["QuickTime", "ImageSpatialExtent ImagePixelDepth AV1ConfigurationVersion SeqProfile SeqTier0"],
    ["QuickTime", "ChromaFormat ChromaSamplePosition InitialDelaySamples AuxiliaryImageType"],
    ["QuickTime", "ColorProfiles ColorPrimaries TransferCharacteristics MatrixCoefficients"],
    ["QuickTime", "VideoFullRangeFlag QuickTime_ColorRep_0x000a MediaData MediaDataSize MediaDataOffset"],
  ].flatMap(([group, names]) => names!.split(" ").map((name) => `${group}:${name}`)),
);

/** The tags of statements about rights (RULES 9.9), and the tag of exiftool that each is read from. */
export const RIGHTS_TAGS = {
  "IFD0:Artist": "creator",
  "IFD0:Copyright": "notice",
  "XMP-dc:Creator": "creator",
  "XMP-dc:Rights": "notice",
  "XMP-photoshop:Credit": "credit",
  "XMP-xmpRights:UsageTerms": "usageTerms",
  "XMP-xmpRights:WebStatement": "statement",
  "XMP-plus:LicensorName": "licensor",
  "XMP-plus:LicensorURL": "licensor",
} as const;

/** Returns the names of the tags that state neither rights nor the form of the file. */
export const foreignTags = (tags: Tags): string[] =>
  Object.keys(tags).filter((name) => {
    const [group = ""] = name.split(":");
    if (name === "SourceFile" || GROUPS_OF_THE_FILE.includes(group)) return false;
    // Later versions of exiftool have the boxes of an item in a group of their own.
    return !HEADERS.has(name.replace(/^Meta:/, "QuickTime:")) && !Object.hasOwn(RIGHTS_TAGS, name);
  });
