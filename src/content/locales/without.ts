/** Returns an object without some of its members. Those under symbols stay, such as the components of a field. */
export function without<T extends object, Name extends string>(
  from: T,
  ...names: readonly Name[]
): Omit<T, Name> {
  const left: T = { ...from };
  for (const name of names) Reflect.deleteProperty(left, name);
  return left;
}
