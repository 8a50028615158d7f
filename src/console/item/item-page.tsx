/** One media item: its facts, its crops, its variants, and a place to try more of them. */
import { useLocation, useParams } from "wouter-preact";
import { SilverprintError } from "../../client/index.ts";
import { useMedia, type Media } from "../api/media.ts";
import { lazily } from "../lib/lazily.tsx";
import { useSession } from "../session/context.tsx";
import { Gone } from "../session/gone.tsx";
import { BackLink } from "../ui/back.tsx";
import { Fault, Page, Skeleton } from "../ui/page.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { ItemActions } from "./actions.tsx";
import { Details } from "./details.tsx";

const Playground = lazily(
  async () => (await import("../playground/playground.tsx")).Playground,
  () => <Skeleton lines={6} />,
  () => <Fault error={new Error("The playground could not be loaded. Reload the page.")} />,
);

const TABS = [
  { name: "details", title: "Details" },
  { name: "playground", title: "Playground" },
] as const;
type Tab = (typeof TABS)[number]["name"];

function Back() {
  const { space } = useSession();
  return <BackLink to={`/${space}/media`} />;
}

function Item({ media }: { media: Media }) {
  const { space } = useSession();
  const { tab } = useParams<{ tab?: string }>();
  const [, navigate] = useLocation();
  const shown: Tab = tab === "playground" ? "playground" : "details";
  const show = (name: Tab): void => {
    const path = `/${space}/media/${media.id}`;
    navigate(name === "details" ? path : `${path}/${name}`, { replace: true });
  };
  return (
    <Page title={media.filename} above={<Back />} actions={<ItemActions media={media} />}>
      <Tabs label="Views" tabs={TABS} shown={shown} onShow={show}>
        {shown === "details" ? <Details media={media} /> : <Playground media={media} />}
      </Tabs>
    </Page>
  );
}

export function ItemPage() {
  const { id } = useParams<{ id: string }>();
  const { data, error, refetch } = useMedia(id);
  if (data) return <Item key={data.id} media={data} />;
  if (error instanceof SilverprintError && error.status === 404) {
    return (
      <Page title="Not here" above={<Back />}>
        <Gone what="picture" />
      </Page>
    );
  }
  return (
    <Page title="Picture" above={<Back />}>
      {error ? <Fault error={error} onRetry={() => void refetch()} /> : <Skeleton lines={6} />}
    </Page>
  );
}
