/**
 * Two rules of ESLint that hold how comments begin, so that a newcomer reads whole sentences: a function's docstring
 * begins with a verb in the third person, and no comment begins with a relative clause that names no subject.
 */
import type { AST, Rule, SourceCode } from "eslint";

const THIRD_PERSON = /^(?:[A-Z][a-z]+|(?:Re|Un|Pre)-[a-z]+)s(?:\/[a-z]+s)?$/;

/** Words that end like a verb, but are a noun in the plural or no verb at all where they begin a docstring. */
const NO_VERBS = new Set(
  (
    "Addresses Always Arrays As Bits Blocks Boxes Bytes Cells Channels Chunks Coefficients Colorants Colours Columns " +
    "Components Conditions Coordinates Curves Discs Drawings Edges Elements Entries Errors Facts Factors Faults " +
    "Fields Figures Files Flags Frames Headers Images Indices Inks Is Items Its Keys Labels Lengths Less Levels " +
    "Lines Macroblocks Masters Matrices Medians Members Memories Messages Milliseconds Models Neighbours Numbers " +
    "Objects Offsets Operations Options Orientations Pages Palettes Parameters Parts Paths Peaks Perhaps Pictures " +
    "Pieces Pixels Planes Plus Polygons Positions Probabilities Profiles Properties Ratios Rectangles References " +
    "Refusals Residuals Rooms Rows Rules Samples Seconds Segments Sentences Settings Sizes Slopes Sources Spaces " +
    "Squares Statements States Strings Strips Symbols Tables Tags Targets Texts This Thresholds Thus Times Tokens " +
    "Units Unless Values Variables Variants Vectors Versions Was Waves Weights Words Zeros"
  ).split(" "),
);

const NO_SUBJECT = /^(?:What|Who|Whose|Of|Nobody|Somebody)\b/;

interface Comment {
  type: "Line" | "Block";
  value: string;
  loc: { start: { line: number; column: number }; end: { line: number; column: number } };
}

/** The fields of syntax nodes of TypeScript that the rules look at. */
interface Node {
  type: string;
  parent?: Node;
  loc: Comment["loc"];
  kind?: string;
  value?: Node | null;
  declarations?: { init: Node | null }[];
}

/** Returns the text of a comment without the stars of its lines. */
const textOf = (comment: Comment): string => comment.value.replace(/^[ \t]*\*+ ?/gm, "").trim();

const isFunction = (node: Node | null | undefined): boolean =>
  node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";

/** Returns whether a declaration, a method or a property is one function. */
function declaresFunction({ type, kind, value, declarations }: Node): boolean {
  if (type === "MethodDefinition") return kind === "method";
  if (type === "PropertyDefinition") return isFunction(value);
  if (type === "VariableDeclaration") return declarations?.length === 1 && isFunction(declarations[0]?.init);
  return true;
}

/** Returns the first token of a function's decorators, such as `@inline`: AssemblyScript's are not in the syntax tree. */
function withDecorators(sourceCode: SourceCode, node: Rule.Node): Rule.Node | AST.Token {
  let first: Rule.Node | AST.Token = node;
  for (;;) {
    const [at, name]: (AST.Token | undefined)[] = sourceCode.getTokensBefore(first, 2);
    if (at?.value !== "@" || name?.type !== "Identifier") return first;
    first = at;
  }
}

const docstrings: Rule.RuleModule = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: {
      verb:
        'A function\'s docstring begins with a verb in the third person, such as "Returns" or "Writes". ' +
        'This one begins with "{{word}}".',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const check = (found: Rule.Node): void => {
      const node = found as unknown as Node;
      if (!declaresFunction(node)) return;
      const outer = node.parent?.type.startsWith("Export") ? node.parent : node;
      const first = withDecorators(sourceCode, outer as Rule.Node);
      const comment = sourceCode.getCommentsBefore(first).at(-1) as Comment | undefined;
      // A comment before an empty line is about the file.
      if (!comment?.value.startsWith("*") || comment.loc.end.line < (first as Node).loc.start.line - 1)
        return;
      const word = /^[^\s,:;.(]*/.exec(textOf(comment))?.[0] ?? "";
      if (word.startsWith("@") || (THIRD_PERSON.test(word) && !NO_VERBS.has(word))) return;
      context.report({ loc: comment.loc, messageId: "verb", data: { word } });
    };
    return Object.fromEntries(
      [
        "FunctionDeclaration",
        "TSDeclareFunction",
        "MethodDefinition",
        "PropertyDefinition",
        "VariableDeclaration",
      ].map((type) => [type, check]),
    );
  },
};

const subjects: Rule.RuleModule = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: {
      subject: 'Name what the comment is about: no comment begins with "{{word}}".',
    },
  },
  create(context) {
    const { sourceCode } = context;
    return {
      Program() {
        const comments = sourceCode.getAllComments() as Comment[];
        comments.forEach((comment, i) => {
          const before = comments[i - 1];
          const continues =
            comment.type === "Line" &&
            before?.type === "Line" &&
            before.loc.end.line === comment.loc.start.line - 1;
          const word = NO_SUBJECT.exec(textOf(comment))?.[0];
          if (word && !continues) context.report({ loc: comment.loc, messageId: "subject", data: { word } });
        });
      },
    };
  },
};

export default { rules: { docstrings, subjects } };
