/** Imports of a config in TypeScript, which both ways of loading it resolve alike. */

/** The module `silverprint/config`, which `npx silverprint` can give to a project that has not installed the package. */
export const CONFIG_MODULE = {
  name: "silverprint/config",
  url: "data:text/javascript,export const defineModels = (document) => document;",
} as const;

/** Returns whether a module is TypeScript of the project itself. */
export const isTypeScript = (url: string): boolean =>
  url.startsWith("file:") && /\.m?ts$/.test(url.replace(/[?#].*$/, "")) && !url.includes("/node_modules/");

/** Returns whether an import may mean a file of TypeScript without its extension, as bundlers take it. */
export const mayLackExtension = (specifier: string): boolean => /^\.\.?\/(?!.*\.\w+$)/.test(specifier);
