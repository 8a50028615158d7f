/** The elements of cards in the editor. The console draws into them: what a card shows is a part of its page. */
import type { Node } from "prosemirror-model";
import type { NodeView, NodeViewConstructor } from "prosemirror-view";
import { objectOf } from "./schema.ts";
import type { ObjectBlock } from "./portable-text.ts";

export interface Card {
  element: HTMLElement;
  value: ObjectBlock;
  isSelected: boolean;
  /** Returns the place of the card in the document. */
  at: () => number | undefined;
}

/** The cards of an editor, and whoever draws them. */
export class Cards {
  readonly #cards = new Map<CardView, Card>();
  onChange: (cards: readonly Card[]) => void = () => undefined;

  readonly view: NodeViewConstructor = (node, _, at) => new CardView(this, node, at);

  set(view: CardView, card: Card): void {
    this.#cards.set(view, card);
    this.#tell();
  }
  remove(view: CardView): void {
    this.#cards.delete(view);
    this.#tell();
  }
  #tell(): void {
    this.onChange([...this.#cards.values()]);
  }
}

class CardView implements NodeView {
  readonly dom = document.createElement("div");
  readonly #cards: Cards;
  readonly #at: () => number | undefined;
  #node: Node;
  #isSelected = false;

  constructor(cards: Cards, node: Node, at: () => number | undefined) {
    this.#cards = cards;
    this.#node = node;
    this.#at = at;
    this.dom.className = "rich-card";
    this.dom.contentEditable = "false";
    this.#show();
  }
  #show(): void {
    this.dom.classList.toggle("rich-card-selected", this.#isSelected);
    this.#cards.set(this, {
      element: this.dom,
      value: objectOf(this.#node),
      isSelected: this.#isSelected,
      at: this.#at,
    });
  }
  update(node: Node): boolean {
    if (node.type !== this.#node.type) return false;
    const isSame = node.eq(this.#node);
    this.#node = node;
    if (!isSame) this.#show();
    return true;
  }
  selectNode(): void {
    this.#isSelected = true;
    this.#show();
  }
  deselectNode(): void {
    this.#isSelected = false;
    this.#show();
  }
  /** Keeps what happens on the card's buttons from the editor. */
  stopEvent({ type, target }: Event): boolean {
    return target instanceof Element && target.closest("button") !== null && !type.startsWith("drag");
  }
  ignoreMutation(): boolean {
    return true;
  }
  destroy(): void {
    this.#cards.remove(this);
  }
}
