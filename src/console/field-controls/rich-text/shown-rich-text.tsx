/** Rich text where it is only read: in the history, in a conflict, in the trash. */
import type { ComponentChild, VNode } from "preact";
import type { ShownProps } from "../field-control.tsx";
import { componentNamed } from "../nested/component-value.ts";
import { summaryOf } from "../nested/summary.ts";
import { NoValue } from "../shown-text.tsx";
import { nameOf } from "../../api/models.ts";
import {
  blocksOf,
  IMAGE,
  isTextBlock,
  type ObjectBlock,
  type Span,
  type TextBlock,
} from "./portable-text.ts";
import "./shown-rich-text.css";

const WRAPS: Record<string, (inner: ComponentChild) => VNode> = {
  strong: (inner) => <strong>{inner}</strong>,
  em: (inner) => <em>{inner}</em>,
  underline: (inner) => <u>{inner}</u>,
  "strike-through": (inner) => <s>{inner}</s>,
  code: (inner) => <code>{inner}</code>,
};

function Words({ span, markDefs }: { span: Span; markDefs: TextBlock["markDefs"] }) {
  const isLink = span.marks.some((mark) => markDefs.some(({ _key }) => _key === mark));
  const words = span.marks.reduce<ComponentChild>((inner, mark) => WRAPS[mark]?.(inner) ?? inner, span.text);
  return isLink ? <span class="shown-link">{words}</span> : <>{words}</>;
}

function Text({ block }: { block: TextBlock }) {
  const { style, listItem, level = 1, children, markDefs } = block;
  return (
    <p
      class="shown-block"
      data-style={style}
      data-list={listItem}
      style={{ marginLeft: `${(level - 1) * 1.25}rem` }}
    >
      {children.map((span) => (
        <Words key={span._key} span={span} markDefs={markDefs} />
      ))}
    </p>
  );
}

function Card({ block, models, Inner }: Pick<ShownProps, "models" | "Inner"> & { block: ObjectBlock }) {
  if (block._type === IMAGE) {
    return (
      <div class="shown-block">
        <Inner field={{ name: "media", type: "media" }} value={block["media"]} models={models} />
      </div>
    );
  }
  const model = componentNamed(models, block._type);
  return (
    <p class="shown-block shown-card">
      {model ? `${nameOf(model)}: ${summaryOf(model, block)}` : block._type}
    </p>
  );
}

export function ShownRichText({ value, models, Inner }: ShownProps) {
  const blocks = blocksOf(value);
  if (blocks.length === 0) return <NoValue />;
  return (
    <div class="shown-rich-text">
      {blocks.map((block) =>
        isTextBlock(block) ? (
          <Text key={block._key} block={block} />
        ) : (
          <Card key={block._key} block={block} models={models} Inner={Inner} />
        ),
      )}
    </div>
  );
}
