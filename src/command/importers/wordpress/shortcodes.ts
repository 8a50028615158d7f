/** Shortcodes, the older blocks of WordPress, as the HTML that they stand for. */

type Attributes = Record<string, string>;

export interface ShortcodeSource {
  /** Returns the ids of the pictures that are attached to the post. */
  attachedPictures(): string[];
  lose(reason: string): void;
}

function attributesIn(text: string): Attributes {
  const found: Attributes = {};
  for (const [, name, double, single, bare] of text.matchAll(
    /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))/g,
  )) {
    found[name!.toLowerCase()] = double ?? single ?? bare ?? "";
  }
  return found;
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const imageOf = (id: string): string =>
  `<img class="wp-image-${escaped(id)}" src="attachment:${escaped(id)}">`;

function gallery(attributes: Attributes, source: ShortcodeSource): string {
  const listed = (attributes["ids"] ?? attributes["include"] ?? "").split(",").map((id) => id.trim());
  const ids = listed.filter((id) => /^\d+$/.test(id));
  const excluded = (attributes["exclude"] ?? "").split(",");
  const shown = ids.length > 0 ? ids : source.attachedPictures().filter((id) => !excluded.includes(id));
  source.lose("a gallery becomes single pictures, one below the other");
  return shown.map(imageOf).join("");
}

function caption(attributes: Attributes, inner: string): string {
  const image = /(?:<a\b[^>]*>\s*)?<img\b[^>]*>(?:\s*<\/a>)?/i.exec(inner)?.[0] ?? "";
  const text = attributes["caption"] ?? inner.replace(image, "").trim();
  return `<figure>${image}<figcaption>${text}</figcaption></figure>`;
}

function player(name: string, attributes: Attributes, inner: string): string {
  const types = ["src", "mp3", "m4a", "ogg", "wav", "mp4", "m4v", "webm", "ogv", "flv", "wmv", "url"];
  const address = types.map((type) => attributes[type]).find((one) => one !== undefined) ?? inner.trim();
  return `<${name} src="${escaped(address)}"></${name}>`;
}

/** Attributes of a shortcode: at most so many characters, so that a text of brackets is not searched again and again. */
const GIVEN = String.raw`\b([^\]]{0,4000})`;
const PAIRED_NAMES = "caption|wp_caption|embed|audio|video|youtube";
const SINGLE = new RegExp(String.raw`\[(gallery|audio|video|playlist)${GIVEN}\]`, "gi");
const ANY = new RegExp(String.raw`\[([a-z][\w-]*)${GIVEN}\]`, "gi");

type Replace = (whole: string, name: string, given: string, inner: string) => string;

/** Returns the places of the ends of shortcodes by their names: where `[/caption]` begins. */
function endsIn(text: string): Map<string, number[]> {
  const ends = new Map<string, number[]>();
  for (const { 1: name = "", index } of text.matchAll(/\[\/([a-z][\w-]*)\]/gi)) {
    const own = ends.get(name.toLowerCase());
    if (own) own.push(index);
    else ends.set(name.toLowerCase(), [index]);
  }
  return ends;
}

/** Replaces each shortcode that has an end, with what stands between. One pass: the ends are looked for once. */
function replacePaired(text: string, replace: Replace): string {
  const ends = endsIn(text);
  const begins = new RegExp(String.raw`\[(${PAIRED_NAMES})${GIVEN}\]`, "gi");
  const parts: string[] = [];
  let at = 0;
  for (let found = begins.exec(text); found; found = begins.exec(text)) {
    const [tag, name = "", given = ""] = found;
    const own = ends.get(name.toLowerCase()) ?? [];
    const inside = found.index + tag.length;
    while (own.length > 0 && own[0]! < inside) own.shift();
    const end = own[0];
    if (end === undefined) continue;
    const behind = end + `[/${name}]`.length;
    parts.push(text.slice(at, found.index));
    parts.push(replace(text.slice(found.index, behind), name, given, text.slice(inside, end)));
    at = behind;
    begins.lastIndex = behind;
  }
  return parts.join("") + text.slice(at);
}

/** Returns the first other shortcode: a name with a `_`, or attributes, or an end, so that `[sic]` stays a word. */
function otherIn(html: string): string | undefined {
  const ends = endsIn(html);
  for (const { 1: name = "", 2: given = "", index } of html.matchAll(ANY)) {
    const hasEnd = (ends.get(name.toLowerCase())?.at(-1) ?? -1) > index;
    if (name.includes("_") || /^\s+[\w-]+=/.test(given) || hasEnd) return name;
  }
  return undefined;
}

/** Replaces the shortcodes of a text. One that only a plugin knows stays in the text and is listed. */
export function withoutShortcodes(text: string, source: ShortcodeSource): string {
  const paired = replacePaired(text, (whole, name, given, inner) => {
    const attributes = attributesIn(given);
    const kind = name.toLowerCase();
    if (kind.endsWith("caption")) return caption(attributes, inner);
    if (kind === "audio" || kind === "video") return player(kind, attributes, inner);
    return inner.trim() === "" ? whole : `<iframe src="${escaped(inner.trim())}"></iframe>`;
  });
  const html = paired.replaceAll(SINGLE, (_whole, name: string, given: string) => {
    const kind = name.toLowerCase();
    const attributes = attributesIn(given.replace(/\/$/, ""));
    if (kind === "gallery") return gallery(attributes, source);
    if (kind !== "playlist") return player(kind, attributes, "");
    source.lose("the playlist of a text is left out");
    return "";
  });
  const other = otherIn(html);
  if (other !== undefined)
    source.lose(`the shortcode [${other}] of a plugin stays in the text as it is written`);
  return html;
}
