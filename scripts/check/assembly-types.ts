/**
 * Checks the types of the AssemblyScript modules with TypeScript and AssemblyScript's own declarations.
 *
 * AssemblyScript allows decorators on functions (`@inline`) and TypeScript does not, so that diagnostic is ignored.
 */
import ts from "typescript";

const CONFIG = "tsconfig.assembly.json";
/** "Decorators are not valid here." */
const DECORATOR_NOT_VALID = 1206;

/** Problems of the configuration that TypeScript reports through a callback only. */
const unreadable: ts.Diagnostic[] = [];
const parsed = ts.getParsedCommandLineOfConfigFile(CONFIG, undefined, {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: (diagnostic) => unreadable.push(diagnostic),
});
const { options = {}, fileNames = [], errors = [] } = parsed ?? {};
const program = ts.createProgram({ rootNames: fileNames, options });
const found = [...unreadable, ...errors, ...ts.getPreEmitDiagnostics(program)].filter(
  ({ code }) => code !== DECORATOR_NOT_VALID,
);
const host: ts.FormatDiagnosticsHost = {
  getCurrentDirectory: () => ts.sys.getCurrentDirectory(),
  getCanonicalFileName: (name) => name,
  getNewLine: () => ts.sys.newLine,
};
if (found.length > 0) console.error(ts.formatDiagnosticsWithColorAndContext(found, host));
process.exit(found.length === 0 ? 0 : 1);
