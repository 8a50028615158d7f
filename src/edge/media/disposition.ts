/** Reads header fields with parameters: Content-Disposition (RFC 6266, RFC 7578) and Content-Type (RFC 9110 section 5.6.6). */

export interface Field {
  /** The text before the parameters, in lower case. */
  value: string;
  /** By name, in lower case. */
  parameters: Map<string, string>;
}

/** A name, and a quoted string or whatever stands up to the next semicolon. Clients send any character in both. */
const PARAMETER = /;\s*([^\s;="]+)\s*=\s*(?:"((?:\\["\\]|[^"])*)"|([^;]*))/gy;

/**
 * Parses a field leniently: it passes over text that is no parameter, and takes the first of a parameter that is given
 * twice.
 */
export function parseField(text: string): Field {
  const start = text.includes(";") ? text.indexOf(";") : text.length;
  const parameters = new Map<string, string>();
  PARAMETER.lastIndex = start;
  for (let at = start; at !== -1; at = text.indexOf(";", at + 1)) {
    PARAMETER.lastIndex = at;
    const [whole, name, quoted, plain] = PARAMETER.exec(text) ?? [];
    if (whole === undefined || name === undefined) continue;
    at += whole.length - 1;
    const key = name.toLowerCase();
    if (!parameters.has(key)) {
      parameters.set(key, quoted?.replace(/\\(["\\])/g, "$1") ?? plain!.trim());
    }
  }
  return { value: text.slice(0, start).trim().toLowerCase(), parameters };
}

/**
 * Returns the name of a file in a part's Content-Disposition; null when it has none. RFC 7578 forbids `filename*`, and
 * clients send it all the same: it counts where it can be decoded.
 */
export function filenameOf({ parameters }: Field): string | null {
  const extended = extendedValue(parameters.get("filename*"));
  if (extended !== null) return extended;
  const plain = parameters.get("filename");
  return plain === undefined ? null : unescaped(plain);
}

/** Undoes the escapes of browsers (HTML, multipart/form-data encoding algorithm). */
const ESCAPED: Record<string, string> = { "%0A": "\n", "%0D": "\r", "%22": '"' };
export const unescaped = (text: string): string =>
  text.replace(/%(?:0A|0D|22)/gi, (code) => ESCAPED[code.toUpperCase()]!);

/** Decodes `charset'language'percent-encoded` (RFC 8187 section 3.2); null for another form, charset or encoding. */
function extendedValue(text: string | undefined): string | null {
  const [, charset, encoded] = /^([^']+)'[^']*'(.*)$/s.exec(text ?? "") ?? [];
  if (charset === undefined || encoded === undefined || /%(?![\da-f]{2})/i.test(encoded)) return null;
  const bytes: number[] = [];
  for (const [part] of encoded.matchAll(/%..|[^%]+/gs)) {
    if (part.startsWith("%")) bytes.push(parseInt(part.slice(1), 16));
    else bytes.push(...new TextEncoder().encode(part));
  }
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(Uint8Array.from(bytes));
  } catch {
    // RangeError for a charset that is not known, TypeError for bytes that it does not have.
    return null;
  }
}
