/** The overview of content: the collections and the pages of the space. */
import { FileText, Shapes } from "lucide-preact";
import { Link } from "wouter-preact";
import { nameOf, useModels, type Model } from "../api/models.ts";
import { useMay, useSession } from "../session/context.tsx";
import { buttonClass } from "../ui/button.tsx";
import { Empty, Fault, Page, Skeleton } from "../ui/page.tsx";
import "./content.css";

function Shelf({ title, models }: { title: string; models: readonly Model[] }) {
  const { space } = useSession();
  if (models.length === 0) return null;
  return (
    <section class="shelf" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {models.map((model) => {
          const Icon = model.typeModel === "pages" ? FileText : Shapes;
          return (
            <li key={model.name} class="shelf-card">
              <Icon aria-hidden="true" />
              <Link href={`/${space}/content/${model.typeModel}/${model.name}`}>{nameOf(model)}</Link>
              <p class="field-hint">{model.description ?? <code>{model.name}</code>}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

export function ContentPage() {
  const { data, error, refetch } = useModels();
  const { space } = useSession();
  const mayChange = useMay("admin");
  return (
    <Page title="Content">
      {error && <Fault error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} />}
      {data?.length === 0 && (
        <Empty
          title="Nothing to fill in yet"
          picture={<Shapes />}
          action={
            mayChange && (
              <Link class={buttonClass("solid")} href={`/${space}/models/new`}>
                Make one
              </Link>
            )
          }
        >
          A model says what a kind of record holds. Once there is one, its records are here.
        </Empty>
      )}
      <Shelf
        title="Collections"
        models={data?.filter(({ typeModel }) => typeModel === "collections") ?? []}
      />
      <Shelf title="Pages" models={data?.filter(({ typeModel }) => typeModel === "pages") ?? []} />
    </Page>
  );
}
