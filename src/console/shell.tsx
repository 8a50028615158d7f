/** The frame of every page: the navigation, the space, the theme, the way out. */
import type { ComponentChildren } from "preact";
import {
  Activity,
  BookOpen,
  FileText,
  Images,
  Key,
  LogOut,
  Moon,
  ScrollText,
  Settings,
  Shapes,
  Sun,
  SunMoon,
  Trash2,
  Users,
  Webhook,
} from "lucide-preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Link, useLocation } from "wouter-preact";
import { readTheme, setTheme, THEMES, type Theme } from "./lib/theme.ts";
import { useSession, useSessionState } from "./session/context.tsx";
import { Wordmark } from "./session/wordmark.tsx";
import { IconButton } from "./ui/button.tsx";
import { Toasts } from "./ui/toast.tsx";
import "./shell.css";

const PLACES = [
  ["media", "Media", Images],
  ["content", "Content", FileText],
  ["models", "Models", Shapes],
  ["trash", "Trash", Trash2],
  ["keys", "Keys", Key],
  ["members", "Members", Users],
  ["webhooks", "Webhooks", Webhook],
  ["settings", "Settings", Settings],
  ["audit", "Audit", ScrollText],
  ["activity", "Activity", Activity],
] as const;

const THEME_ICONS = { system: SunMoon, light: Sun, dark: Moon } as const;
const THEME_NAMES = { system: "as the system", light: "light", dark: "dark" } as const;

function ThemeButton() {
  const [theme, change] = useState<Theme>(readTheme);
  const Icon = THEME_ICONS[theme];
  const following = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  return (
    <IconButton
      name={`Theme: ${THEME_NAMES[theme]}`}
      icon={<Icon />}
      onClick={() => {
        setTheme(following);
        change(following);
      }}
    />
  );
}

function Navigation({ space }: { space: string }) {
  const [location] = useLocation();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const shown = list.current?.querySelector("[aria-current]");
    shown?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [location]);
  return (
    <nav class="nav" aria-label="Main">
      <ul ref={list}>
        {PLACES.map(([path, name, Icon]) => {
          const href = `/${space}/${path}`;
          const isHere = location === href || location.startsWith(`${href}/`);
          return (
            <li key={path}>
              <Link href={href} aria-current={isHere ? "page" : undefined}>
                <Icon aria-hidden="true" />
                <span>{name}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

export function Shell({ children }: { children: ComponentChildren }) {
  const { space, name, role } = useSession();
  const { signOut } = useSessionState();
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to main
      </a>
      <header class="bar">
        <div class="bar-name">
          <Wordmark />
          <p class="bar-space" title={space}>
            {space}
          </p>
        </div>
        <Navigation space={space} />
        <a class="bar-docs" href="/docs" aria-label="API reference" title="API reference">
          <BookOpen aria-hidden="true" />
          <span>API reference</span>
        </a>
        <div class="bar-session">
          <p class="bar-who" title={`${name} (${role})`}>
            {name} <span class="badge">{role}</span>
          </p>
          <ThemeButton />
          <IconButton name="Sign out" icon={<LogOut />} onClick={() => signOut()} />
        </div>
      </header>
      <main id="main" class="main" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
    </div>
  );
}
