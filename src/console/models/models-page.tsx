/** All models of the space, by kind. */
import {
  Component as ComponentIcon,
  FileBraces,
  FileText,
  Plus,
  Shapes,
  type LucideIcon,
} from "lucide-preact";
import { Link } from "wouter-preact";
import { nameOf, useModels, type Model, type TypeModel } from "../api/models.ts";
import { counted } from "../lib/format.ts";
import { useMay, useSession } from "../session/context.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Card, Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import "./models.css";

const KINDS = [
  {
    typeModel: "collections",
    title: "Collections",
    meaning: "Many records of one kind: articles, products.",
  },
  { typeModel: "pages", title: "Pages", meaning: "Exactly one record each: a home page, a footer." },
  {
    typeModel: "components",
    title: "Components",
    meaning: "Groups of fields that models hold: a section, a button.",
  },
] as const;

const ICONS: Record<TypeModel, LucideIcon> = {
  collections: Shapes,
  pages: FileText,
  components: ComponentIcon,
};

function ModelRow({ model }: { model: Model }) {
  const { space } = useSession();
  const Icon = ICONS[model.typeModel];
  return (
    <li class="model-row">
      <Icon aria-hidden="true" />
      <div class="model-row-names">
        <Link href={`/${space}/models/${model.typeModel}/${model.name}`}>{nameOf(model)}</Link>
        <p class="field-hint">{model.description ?? <code>{model.name}</code>}</p>
      </div>
      <p class="model-row-fields numbers">{counted(model.fields.length, "field")}</p>
    </li>
  );
}

export function ModelsPage() {
  const { data, error, refetch } = useModels();
  const { space } = useSession();
  const mayChange = useMay("admin");
  const create = mayChange && (
    <>
      <Link class={buttonClass("plain")} href={`/${space}/models/document`}>
        <FileBraces aria-hidden="true" />
        As a document
      </Link>
      <Link class={buttonClass("solid")} href={`/${space}/models/new`}>
        <Plus aria-hidden="true" />
        New model
      </Link>
    </>
  );
  return (
    <Page title="Models" actions={data && data.length > 0 && create} narrow>
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {data?.length === 0 && (
        <Empty title="No models yet" picture={<Shapes />} action={create}>
          A model says what a kind of record holds: an article its title, text and picture.
          {!mayChange && " A key with the role admin can make one."}
        </Empty>
      )}
      {KINDS.map(({ typeModel, title, meaning }) => {
        const models = data?.filter((model) => model.typeModel === typeModel) ?? [];
        if (models.length === 0) return null;
        return (
          <Card key={typeModel} title={title} aside={<p class="page-aside">{meaning}</p>}>
            <ul class="model-rows">
              {models.map((model) => (
                <ModelRow key={model.name} model={model} />
              ))}
            </ul>
          </Card>
        );
      })}
    </Page>
  );
}
