/** The way back to the page above: as it was left, with what was looked for there, and where the reader was in it. */
import { ChevronLeft } from "lucide-preact";
import { Link, useLocation, useRouter } from "wouter-preact";
import { BACK, lastAddress } from "../lib/places.ts";

/** @returns a function that goes back to a path of the router */
export function useGoBack(): (to: string) => void {
  const { base } = useRouter();
  const [, navigate] = useLocation();
  return (to) => navigate(lastAddress(base + to).slice(base.length), { state: BACK });
}

/** @param to a path of the router, without a query */
export function BackLink({ to }: { to: string }) {
  const { base } = useRouter();
  return (
    <Link class="back" href={lastAddress(base + to).slice(base.length)} state={BACK}>
      <ChevronLeft aria-hidden="true" />
      Back
    </Link>
  );
}
