/** Returns whether `found` says all that `wanted` says. Fields that Cloudflare adds to it do not count. */
export function saysAll(found: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return found === wanted;
  if (typeof found !== "object" || found === null) return false;
  return Object.entries(wanted).every(([key, value]) =>
    saysAll((found as Record<string, unknown>)[key], value),
  );
}
