/** Writes statements about rights as an XMP packet (ISO 16684-1). */
import { type Copyright, CREATOR_SEPARATOR, type Licensor } from "../../image/model/copyright.ts";

const NAMESPACES = {
  dc: "http://purl.org/dc/elements/1.1/",
  photoshop: "http://ns.adobe.com/photoshop/1.0/",
  xmpRights: "http://ns.adobe.com/xap/1.0/rights/",
  plus: "http://ns.useplus.org/ldf/xmp/1.0/",
} as const;

/**
 * The characters that XML 1.0 forbids (section 2.2), also as references. Statements that an earlier version read may
 * hold some. A strict reader refuses a packet with one of them.
 */
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escaped = (text: string): string =>
  text.toWellFormed().replace(NO_XML, "").replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** Returns a text in the default language. */
const inDefault = (name: string, text: string | null): string =>
  text === null
    ? ""
    : `<${name}><rdf:Alt><rdf:li xml:lang="x-default">${escaped(text)}</rdf:li></rdf:Alt></${name}>`;

const plain = (name: string, text: string | null): string =>
  text === null ? "" : `<${name}>${escaped(text)}</${name}>`;

function creators(creator: string | null): string {
  if (creator === null) return "";
  const items = creator.split(CREATOR_SEPARATOR).map((one) => `<rdf:li>${escaped(one)}</rdf:li>`);
  return `<dc:creator><rdf:Seq>${items.join("")}</rdf:Seq></dc:creator>`;
}

function licensors(licensor: Licensor | null): string {
  if (!licensor) return "";
  const parts = plain("plus:LicensorName", licensor.name) + plain("plus:LicensorURL", licensor.url);
  return `<plus:Licensor><rdf:Seq><rdf:li rdf:parseType="Resource">${parts}</rdf:li></rdf:Seq></plus:Licensor>`;
}

export function xmpOf({
  creator,
  credit,
  notice,
  usageTerms,
  statement,
  licensor,
}: Copyright): Uint8Array<ArrayBuffer> {
  const body =
    creators(creator) +
    inDefault("dc:rights", notice) +
    plain("photoshop:Credit", credit) +
    inDefault("xmpRights:UsageTerms", usageTerms) +
    plain("xmpRights:WebStatement", statement) +
    licensors(licensor);
  const declared = Object.entries(NAMESPACES)
    .filter(([prefix]) => body.includes(`<${prefix}:`))
    .map(([prefix, address]) => ` xmlns:${prefix}="${address}"`);
  const packet =
    `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">` +
    `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""` +
    `${declared.join("")}>${body}</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="r"?>`;
  return Uint8Array.from(new TextEncoder().encode(packet));
}
