import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { api } from "../session/api.ts";
import { words } from "../text/words.ts";
import { addressOf, type Place } from "../place/place.ts";
import { signedOut } from "../session/signed-out.ts";

const entries = [
  { view: "conversations", label: words.nav.conversations, place: { view: "conversations", id: undefined } },
  { view: "prompt", label: words.nav.prompt, place: { view: "prompt" } },
  { view: "calls", label: words.nav.calls, place: { view: "calls", id: undefined } },
  { view: "costs", label: words.nav.costs, place: { view: "costs", day: undefined } },
  { view: "host", label: words.nav.host, place: { view: "host" } },
] as const satisfies readonly { readonly view: string; readonly label: string; readonly place: Place }[];

export function Navigation({ place }: { readonly place: Place }): JSX.Element {
  const leave = async (): Promise<void> => {
    await api.call(routes.signOut);
    signedOut();
  };
  const view = place.view === "told" ? "conversations" : place.view;
  return (
    <nav class="navigation" aria-label={words.nav.label}>
      <a class="product" href="#/conversations">
        {words.product}
      </a>
      <ul>
        {entries.map((entry) => (
          <li key={entry.view}>
            <a href={addressOf(entry.place)} aria-current={entry.view === view ? "page" : undefined}>
              {entry.label}
            </a>
          </li>
        ))}
      </ul>
      <button type="button" class="plain" onClick={() => void leave()}>
        {words.session.out}
      </button>
    </nav>
  );
}
