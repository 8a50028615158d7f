/** Writes the paths of requests, whose parts can lead nowhere but where they are meant. */

const MODEL_NAME = /^[a-z][a-z0-9_-]{0,62}$/;

/** Encodes a part of a path. @throws TypeError for one that would change the path: an empty one, `.` and `..` */
export function partOf(what: string, value: string): string {
  if (typeof value !== "string" || value === "" || value === "." || value === "..") {
    throw new TypeError(`${what} must be a name or an id, not ${JSON.stringify(value)}.`);
  }
  return encodeURIComponent(value);
}

/** Returns the name of a model. @throws TypeError for what no model can be called */
export function modelOf(name: string): string {
  if (typeof name === "string" && MODEL_NAME.test(name)) return name;
  throw new TypeError(`${JSON.stringify(name)} is not the name of a model.`);
}

/** Writes a version. @throws TypeError for a number that no version has */
export function versionOf(version: number): string {
  if (Number.isSafeInteger(version) && version > 0) return String(version);
  throw new TypeError(`A version is a whole number from 1, not ${version}.`);
}
