/** Stack traces of a bundle, in terms of its sources. */
import { type SourceMapPayload, SourceMap } from "node:module";
import { posix } from "node:path";

/** `index.js:12:34`, as in a line of a stack. */
const PLACE = /index\.js:(\d+):(\d+)/g;

/** Returns a function that names places in the bundle of this source map by file, line and column of the source. */
export function sourceNames(sourceMap: string): (text: string) => string {
  let map: SourceMap | null = null;
  return (text) =>
    text.replace(PLACE, (place, line: string, column: string) => {
      // Parsed for the first stack: most starts have none.
      map ??= new SourceMap(JSON.parse(sourceMap) as SourceMapPayload);
      const origin = map.findOrigin(Number(line), Number(column));
      if (!("fileName" in origin)) return place;
      return `${posix.normalize(origin.fileName).replace(/^(?:\.\.\/)+/, "")}:${origin.lineNumber}:${origin.columnNumber}`;
    });
}
