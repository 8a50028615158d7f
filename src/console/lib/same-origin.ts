/**
 * Returns an address of the service as this page asks for it: from its own origin, whatever host the service names
 * itself by. The page may ask no other.
 */
export function samePath(address: string): string {
  const { pathname, search } = new URL(address, location.href);
  return pathname + search;
}
