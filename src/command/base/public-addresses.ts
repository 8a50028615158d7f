/** Tells addresses of the internet from those of this machine and of private networks. */
import { BlockList, isIP } from "node:net";

/** The networks of IPv4 that are not the internet: [RFC 6890](https://www.rfc-editor.org/rfc/rfc6890) and multicast. */
const PRIVATE_IPV4: readonly [network: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** The networks within 2000::/3, which is the internet, that are documentation or tunnels to any IPv4 address. */
const PRIVATE_IPV6: readonly [network: string, prefix: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const blocked = new BlockList();
for (const [network, prefix] of PRIVATE_IPV4) blocked.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of PRIVATE_IPV6) blocked.addSubnet(network, prefix, "ipv6");
const internet = new BlockList();
internet.addSubnet("2000::", 3, "ipv6");
/** IPv4 addresses in notations of IPv6: mapped ones, and those that a network of IPv6 alone translates. */
const embedded = new BlockList();
embedded.addSubnet("::ffff:0:0", 96, "ipv6");
embedded.addSubnet("64:ff9b::", 96, "ipv6");

/** Returns the IPv4 address in the last four bytes of an IPv6 address in its normal form. */
function lastFourBytes(address: string): string {
  // The host of a URL is in its normal form: hexadecimal, without a part of IPv4.
  const normal = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const groups = normal.split(":").slice(-2);
  const bytes = groups.flatMap((group) => {
    const number = parseInt(group || "0", 16);
    return [number >> 8, number & 0xff];
  });
  return bytes.join(".");
}

/** Returns whether an IP address is one of the internet. */
export function isPublicAddress(address: string): boolean {
  const [plain = ""] = address.replace(/^\[|\]$/g, "").split("%");
  switch (isIP(plain)) {
    case 4:
      return !blocked.check(plain, "ipv4");
    case 6:
      if (embedded.check(plain, "ipv6")) return isPublicAddress(lastFourBytes(plain));
      return internet.check(plain, "ipv6") && !blocked.check(plain, "ipv6");
    default:
      return false;
  }
}
