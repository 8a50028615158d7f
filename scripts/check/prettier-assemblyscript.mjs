/**
 * Lets prettier format AssemblyScript. Its parser refuses decorators on functions and constants, which TypeScript does
 * not know, so they are read as comments (`//@inline`) and written as decorators again.
 */
import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";

/** A decorator on a line of its own, outside of a class. */
const DECORATOR_LINE = /^@(\w+)[ \t]*$/gm;
const AS_COMMENT = /^@\w+$/;

export const languages = [{ name: "AssemblyScript", parsers: ["assemblyscript"] }];

export const parsers = {
  assemblyscript: {
    ...typescript.parsers.typescript,
    astFormat: "assemblyscript",
    preprocess: (text) => text.replace(DECORATOR_LINE, "//@$1"),
  },
};

export const printers = {
  assemblyscript: {
    ...estree.printers.estree,
    printComment(path, options) {
      const { value } = path.node;
      return AS_COMMENT.test(value) ? value : estree.printers.estree.printComment(path, options);
    },
  },
};
