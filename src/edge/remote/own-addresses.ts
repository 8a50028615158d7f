/** Addresses of this deployment: nothing but pictures is fetched of them (RULES 13.4). */

const PICTURE = /^\/api\/v1\/([^/]+)\/pictures\/([^/]+)(?:\/file)?$/;
const FILE = /^\/cdn\/[mv](?:\/[^/]+){4}$/;

interface Bases {
  PUBLIC_BASE_URL?: string;
  CDN_BASE_URL?: string;
}

/** Returns the hosts that this deployment is known to have, with the one of the request. */
export function ownHosts({ PUBLIC_BASE_URL, CDN_BASE_URL }: Bases, requestHost: string): string[] {
  const named = [PUBLIC_BASE_URL, CDN_BASE_URL].flatMap((base) =>
    base !== undefined && URL.canParse(base) ? [new URL(base).host] : [],
  );
  return [...new Set([requestHost, ...named].flatMap((host) => [host, ...sameMachine(host)]))];
}

/** Returns the other name of this machine. */
function sameMachine(host: string): string[] {
  if (host.startsWith("localhost:")) return [host.replace("localhost", "127.0.0.1")];
  return host.startsWith("127.0.0.1:") ? [host.replace("127.0.0.1", "localhost")] : [];
}

/** Returns whether the address is one of this deployment that shows no picture. */
export const isOwnButNoPicture = ({ host, pathname }: URL, hosts: readonly string[]): boolean =>
  hosts.includes(host) && !PICTURE.test(pathname) && !FILE.test(pathname);

export interface OwnPicture {
  spaceName: string;
  mediaId: string;
}

/** Returns the picture that an address of this deployment shows; null for any other address. */
export function ownPictureOf({ host, pathname }: URL, hosts: readonly string[]): OwnPicture | null {
  const [, spaceName = "", mediaId = ""] = (hosts.includes(host) && PICTURE.exec(pathname)) || [];
  return spaceName === "" ? null : { spaceName, mediaId };
}
