/** Values of a form that may not be JSON yet. */

/** A text that is to become JSON and cannot be parsed yet. */
export class Unparsed {
  readonly text: string;
  readonly fault: string;

  constructor(text: string, fault: string) {
    this.text = text;
    this.fault = fault;
  }
}

export const isSame = (one: unknown, other: unknown): boolean =>
  one === other || (!(one instanceof Unparsed) && JSON.stringify(one) === JSON.stringify(other));
