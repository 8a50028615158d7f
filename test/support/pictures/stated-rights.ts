/** Pictures that state rights, and hide what must never pass: written by sharp and by hand, not by the code under test. */
import type { Sharp } from "sharp";

export const RIGHTS = {
  creator: "Jané Döe; Second Photographer",
  credit: "Agency & <Sons>",
  notice: "© 2026 Jané Döe",
  usageTerms: "Editorial use only",
  statement: "https://example.com/rights?a=1&b=2",
  licensor: "Licensing House, https://example.com/licence",
} as const;

/** A word that stands in every place where a place, a time or a device may hide. */
export const SECRET = "SeCrEt";

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** Returns a packet as Lightroom writes it, with what must not pass among the rights. */
export const packet = (more = ""): string => `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="${SECRET}"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:ps="http://ns.adobe.com/photoshop/1.0/"
  xmlns:r="http://ns.adobe.com/xap/1.0/rights/" xmlns:plus="http://ns.useplus.org/ldf/xmp/1.0/"
  xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:aux="http://ns.adobe.com/exif/1.0/aux/"
  xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
  exif:GPSLatitude="52,30.${SECRET}N" aux:SerialNumber="${SECRET}" xmp:CreateDate="${SECRET}"
  ps:City="${SECRET}" ps:Credit="${escaped(RIGHTS.credit)}" r:WebStatement="${escaped(RIGHTS.statement)}">
  <xmpMM:DerivedFrom rdf:parseType="Resource"><dc:creator>${SECRET}</dc:creator></xmpMM:DerivedFrom>
  <dc:creator><rdf:Seq><rdf:li>Jané Döe</rdf:li><rdf:li>Second Photographer</rdf:li></rdf:Seq></dc:creator>
  <dc:rights><rdf:Alt><rdf:li xml:lang="de">${SECRET}</rdf:li><rdf:li xml:lang="x-default">&#169; 2026 Jané Döe</rdf:li></rdf:Alt></dc:rights>
  <r:UsageTerms><rdf:Alt><rdf:li xml:lang="x-default"><![CDATA[${RIGHTS.usageTerms}]]></rdf:li></rdf:Alt></r:UsageTerms>
  <plus:Licensor><rdf:Seq>
    <rdf:li rdf:parseType="Resource"><plus:LicensorName>Licensing House</plus:LicensorName><plus:LicensorID>${SECRET}</plus:LicensorID>
      <plus:LicensorURL>https://example.com/licence</plus:LicensorURL><plus:LicensorEmail>${SECRET}</plus:LicensorEmail></rdf:li>
    <rdf:li rdf:parseType="Resource"><plus:LicensorName>${SECRET}</plus:LicensorName></rdf:li></rdf:Seq></plus:Licensor>
  <dc:subject><rdf:Bag><rdf:li>${SECRET}</rdf:li></rdf:Bag></dc:subject>${more}
</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** The tags of EXIF that sharp is told to write: rights, and a place, a time, a device and a serial number. */
export const EXIF = {
  IFD0: {
    Artist: "Jane",
    Copyright: "Jane",
    Make: SECRET,
    Model: SECRET,
    Software: SECRET,
    ImageDescription: SECRET,
  },
  IFD2: { DateTimeOriginal: SECRET, BodySerialNumber: SECRET, MakerNote: SECRET, UserComment: SECRET },
  IFD3: { GPSLatitudeRef: "N", GPSLatitude: "52/1 30/1 0/1", GPSDateStamp: SECRET },
};

/** Returns a JPEG segment. */
export function segment(marker: number, ...parts: (string | Uint8Array)[]): Buffer {
  const content = Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
  );
  return Buffer.concat([
    Buffer.of(0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 255),
    content,
  ]);
}

/** Returns a data set of IIM. */
export const dataSet = (record: number, number: number, value: string | Uint8Array): Buffer => {
  const bytes = typeof value === "string" ? Buffer.from(value) : Buffer.from(value);
  return Buffer.concat([Buffer.of(0x1c, record, number, bytes.length >> 8, bytes.length & 255), bytes]);
};

/** Returns an image resource of Photoshop. */
export function resource(id: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0x38, 0x42, 0x49, 0x4d, id >> 8, id & 255, 0, 0, 0, 0, 0, content.length]);
  head.writeUInt32BE(content.length, 8);
  return Buffer.concat([head, content, Buffer.alloc(content.length & 1)]);
}

/** Puts segments after the SOI marker of a JPEG. */
export const withSegments = (jpeg: Buffer, ...segments: Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

/** Returns a JPEG with a secret in every hiding place: blocks, comments, previews, further pictures, and its end. */
export async function jpegFullOfSecrets(picture: Sharp): Promise<Buffer> {
  const plain = await picture.jpeg().withExif(EXIF).withXmp(packet()).toBuffer();
  const records = Buffer.concat([dataSet(2, 90, SECRET), dataSet(2, 55, SECRET), dataSet(2, 105, SECRET)]);
  return Buffer.concat([
    withSegments(
      plain,
      segment(0xe0, "JFXX\0\x10", SECRET),
      segment(0xed, "Photoshop 3.0\0", resource(0x0404, records), resource(0x040c, Buffer.from(SECRET))),
      segment(0xe2, "MPF\0", SECRET),
      segment(0xe2, "FPXR\0", SECRET),
      segment(0xe3, "Meta\0\0", SECRET),
      segment(0xec, "Ducky", SECRET),
      segment(0xef, SECRET),
      segment(0xfe, SECRET),
      segment(0xe1, "http://ns.adobe.com/xmp/extension/\0", SECRET.repeat(20)),
    ),
    Buffer.from(`${SECRET}\xff\xd8\xff\xe1${SECRET}`, "latin1"),
  ]);
}
