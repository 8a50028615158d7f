/**
 * Lets prettier format AssemblyScript. AssemblyScript allows decorators on functions and constants, but prettier's
 * TypeScript parser refuses them. They are therefore parsed as comments (`//@inline`) and printed as decorators.
 */
import * as estree from "prettier/plugins/estree";
import * as typescript from "prettier/plugins/typescript";

/** A line that contains only a decorator and is not indented, so it is outside of a class. */
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
