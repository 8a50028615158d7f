/**
 * The ways in which a command speaks to a person: colours, progress and questions. Progress and questions go to standard
 * error and are there on a terminal only; with `--json` there are none.
 */
import {
  confirm,
  isCancel,
  log,
  password,
  progress,
  settings,
  spinner,
  text,
  type SpinnerResult,
} from "@clack/prompts";
import picocolors from "picocolors";
import { Failure } from "../base/failure.ts";
import type { World } from "../base/world.ts";

/** A bar that shows how far a command is. */
export interface Bar {
  advance(steps: number, message?: string): void;
  /** Ends the bar with some words. */
  end(message: string): void;
}

const NO_BAR: Bar = { advance: () => undefined, end: () => undefined };

/** Colours that text gets if standard output takes them. */
export type Colours = Pick<
  ReturnType<typeof picocolors.createColors>,
  "bold" | "dim" | "red" | "green" | "yellow" | "cyan"
>;

// Escape would end the program in the middle of its work. Ctrl+C does so as well, and nobody presses it by mistake.
settings.aliases.delete("escape");

export class Output {
  readonly colours: Colours;
  readonly isJson: boolean;
  readonly #world: World;
  #bar: SpinnerResult | null = null;

  constructor(world: World, isJson: boolean) {
    this.#world = world;
    this.isJson = isJson;
    this.colours = picocolors.createColors(world.hasColour && !isJson);
  }

  /** Whether a person can be asked, and sees progress. */
  get isInteractive(): boolean {
    return this.#world.isTerminal && !this.isJson;
  }

  /** Prints a line beside the result: what is being done, or a warning. Without a terminal it is printed as well. */
  note(line: string): void {
    if (this.isJson) return;
    if (this.#world.isTerminal)
      log.message(line, { output: this.#world.stderr, withGuide: false, spacing: 0 });
    else this.#world.stderr.write(`${line}\n`);
  }

  /** Shows a bar of `total` steps. Without a terminal nothing is shown. */
  progress(message: string, total: number): Bar {
    this.close();
    if (!this.isInteractive) return NO_BAR;
    const bar = progress({ max: Math.max(1, total), output: this.#world.stderr, withGuide: false });
    bar.start(message);
    this.#bar = bar;
    return {
      advance: (steps, words) => bar.advance(steps, words),
      end: (words) => {
        this.#bar = null;
        bar.stop(words);
      },
    };
  }

  /** Shows work whose length is not known, with words about how far it is. Without a terminal nothing is shown. */
  work(message: string): Bar {
    this.close();
    if (!this.isInteractive) return NO_BAR;
    const shown = spinner({ output: this.#world.stderr, withGuide: false });
    shown.start(message);
    this.#bar = shown;
    return {
      advance: (_steps, words) => shown.message(words === undefined ? message : `${message}: ${words}`),
      end: (words) => {
        this.#bar = null;
        shown.stop(words);
      },
    };
  }

  /** Ends a bar that a command has left open, because it failed. */
  close(): void {
    this.#bar?.clear();
    this.#bar = null;
  }

  /** Asks yes or no. @throws Failure when the person ends the program instead */
  async confirm(question: string): Promise<boolean> {
    return answerOf(await confirm({ message: question, output: this.#world.stderr, initialValue: false }));
  }

  /** Asks for a text. @throws Failure when the person ends the program instead */
  async ask(question: string, { isSecret = false, placeholder = "" } = {}): Promise<string> {
    const asked = { message: question, output: this.#world.stderr };
    const validate = (given: string | undefined): string | undefined =>
      given?.trim() ? undefined : "Please type something, or press Ctrl+C to end.";
    const answer = isSecret
      ? await password({ ...asked, validate })
      : await text({ ...asked, placeholder, validate });
    return answerOf(answer).trim();
  }
}

function answerOf<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (isCancel(answer)) throw new Failure("Ended by you; nothing was changed.");
  return answer as Exclude<Answer, symbol>;
}

/** Returns the words of a failed command: the fault, its details, and the next step. */
export function failureWords({ message, details, next }: Failure, { colours }: Output): string {
  const lines = [
    `${colours.red("Error:")} ${message}`,
    ...details.map(({ path, message: fault }) => `  ${path === "" ? fault : `${path}: ${fault}`}`),
    ...(next === null ? [] : [`${colours.bold("Next:")} ${next}`]),
  ];
  return `${lines.join("\n")}\n`;
}
