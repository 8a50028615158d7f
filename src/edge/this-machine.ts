const HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** Returns whether a host is the machine itself, where a service that `npm start` runs takes http too. */
export const isThisMachine = (hostname: string): boolean => HOSTS.includes(hostname);
