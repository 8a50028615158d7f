/** In the Worker's bundle in the place of `says.ts`: calls of an empty function, and what they are given, are left out. */
export function says(): void {}
export function documented(): void {}
