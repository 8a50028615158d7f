/** Which page an address shows. Every address names its space: `/console/{space}/media/{id}`. */
import type { ComponentChildren, FunctionComponent } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Link, Redirect, Route, Router, Switch, useLocation } from "wouter-preact";
import { ContentPage } from "./content/content-page.tsx";
import { RecordsPage } from "./content/records-page.tsx";
import { ItemPage } from "./item/item-page.tsx";
import { lazily } from "./lib/lazily.tsx";
import { hasStayed, showPlace } from "./lib/places.ts";
import { MediaPage } from "./media/media-page.tsx";
import { RecordPage } from "./record/record-page.tsx";
import { SessionProvider, useSession, useSessionState } from "./session/context.tsx";
import { SignInAgain } from "./session/again.tsx";
import { Callback } from "./session/callback.tsx";
import { CALLBACK } from "./session/provider.ts";
import { SignIn } from "./session/sign-in.tsx";
import { Shell } from "./shell.tsx";
import { UploadsProvider } from "./uploads/context.tsx";
import { UploadPanel } from "./uploads/panel.tsx";
import { buttonClass } from "./ui/button.tsx";
import { Empty, Fault, Page, Skeleton } from "./ui/page.tsx";
import { guarded, UnsavedDialog } from "./ui/unsaved.tsx";

const Waiting = () => (
  <div class="page">
    <Skeleton lines={5} />
  </div>
);
const Failed = () => (
  <Fault
    error={new Error("This part of the console could not be loaded. There may be a newer version of it.")}
    onRetry={() => location.reload()}
  />
);
const page = (load: () => Promise<FunctionComponent>): FunctionComponent => lazily(load, Waiting, Failed);

// Pictures and records are what people come for: their pages come with the first file. The others are asked for.
const History = page(async () => (await import("./history/history-page.tsx")).HistoryPage);
const Models = page(async () => (await import("./models/models-page.tsx")).ModelsPage);
const NewModel = page(async () => (await import("./models/new-model-page.tsx")).NewModelPage);
const ModelsDocument = page(async () => (await import("./models/document-page.tsx")).DocumentPage);
const Model = page(async () => (await import("./models/model-page.tsx")).ModelPage);
const Trash = page(async () => (await import("./trash/trash-page.tsx")).TrashPage);
const Keys = page(async () => (await import("./keys/keys-page.tsx")).KeysPage);
const Members = page(async () => (await import("./members/members-page.tsx")).MembersPage);
const Webhooks = page(async () => (await import("./webhooks/webhooks-page.tsx")).WebhooksPage);
const OneWebhook = page(async () => (await import("./webhooks/webhook-page.tsx")).WebhookPage);
const Audit = page(async () => (await import("./audit/audit-page.tsx")).AuditPage);
const Activity = page(async () => (await import("./activity/activity-page.tsx")).ActivityPage);
const Settings = page(async () => (await import("./settings/settings-page.tsx")).SettingsPage);

/**
 * Renders the page in a task after the shell's. In one task, both would keep a phone from answering for noticeably
 * long.
 */
function AfterShell({ children }: { children: ComponentChildren }) {
  const [isDue, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true));
    return () => clearTimeout(timer);
  }, []);
  return isDue ? <>{children}</> : <Waiting />;
}

function Lost() {
  const { space } = useSession();
  return (
    <Page title="Not here">
      <Empty
        title="There is nothing at this address"
        action={
          <Link class={buttonClass("plain")} href={`/${space}/media`}>
            To the pictures
          </Link>
        }
      >
        The console has no such page.
      </Empty>
    </Page>
  );
}

/** Returns the space that an address names: empty for none. */
const spaceIn = (location: string): string => decodeURIComponent(location.split("/")[1] ?? "");

function Places() {
  const { session, hasEnded, number } = useSessionState();
  const [location] = useLocation();
  const named = spaceIn(location);
  const shown = useRef(location);
  useLayoutEffect(() => {
    // A reader with a screen reader is told of the new page, and starts at its beginning.
    if (shown.current === location) return;
    shown.current = location;
    if (hasStayed()) return;
    document.getElementById("main")?.focus({ preventScroll: true });
    showPlace();
  }, [location]);
  if (!session && location === CALLBACK) return <Callback />;
  if (!session) return <SignIn suggestedSpace={named} />;
  if (named !== session.space) return <Redirect to={`/${session.space}/media`} replace />;
  return (
    <UploadsProvider key={number}>
      <Shell>
        <AfterShell>
          <Switch>
            <Route path="/:space/media" component={MediaPage} />
            <Route path="/:space/media/:id/:tab?" component={ItemPage} />
            <Route path="/:space/content" component={ContentPage} />
            <Route path="/:space/content/collections/:model" component={RecordsPage} />
            <Route path="/:space/content/:typeModel/:model/:id?" component={RecordPage} />
            <Route path="/:space/content/:typeModel/:model/:id/history" component={History} />
            <Route path="/:space/models" component={Models} />
            <Route path="/:space/models/new" component={NewModel} />
            <Route path="/:space/models/document" component={ModelsDocument} />
            <Route path="/:space/models/:typeModel/:model" component={Model} />
            <Route path="/:space/trash" component={Trash} />
            <Route path="/:space/keys" component={Keys} />
            <Route path="/:space/members" component={Members} />
            <Route path="/:space/webhooks" component={Webhooks} />
            <Route path="/:space/webhooks/:id" component={OneWebhook} />
            <Route path="/:space/settings" component={Settings} />
            <Route path="/:space/audit" component={Audit} />
            <Route path="/:space/activity" component={Activity} />
            <Route component={Lost} />
          </Switch>
        </AfterShell>
      </Shell>
      <UploadPanel />
      {hasEnded && <SignInAgain />}
      <UnsavedDialog />
    </UploadsProvider>
  );
}

export function App() {
  return (
    <SessionProvider>
      <Router base="/console" aroundNav={guarded}>
        <Places />
      </Router>
    </SessionProvider>
  );
}
