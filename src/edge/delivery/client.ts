/** The client that a request is charged to: an IPv4 address, or the /64 prefix of an IPv6 address (RULES 8.3). */

/** Returns the client. @param address the value of `CF-Connecting-IP`, the only header that is trusted for it */
export function clientOf(address: string | null): string {
  if (!address) return "unknown";
  const text = address.trim().toLowerCase();
  if (!text.includes(":")) return text;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (mapped?.[1]) return mapped[1];
  const [head = "", tail] = text.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = !tail ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  const network = groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ""));
  return `${network.join(":")}::/64`;
}
