import type { JSX } from "preact";
import { words } from "../text/words.ts";
import { addressOf, type Place } from "../place/place.ts";
import { rooms } from "./rooms.ts";

interface NavigationProps {
  readonly place: Place;
  readonly onSignOut: () => void;
}

export function Navigation({ place, onSignOut }: NavigationProps): JSX.Element {
  const view = place.view === "told" ? "conversations" : place.view;
  return (
    <nav class="navigation" aria-label={words.nav.label}>
      <a class="product" href="#/conversations">
        {words.product}
      </a>
      <ul>
        {rooms.map((entry) => (
          <li key={entry.view}>
            <a href={addressOf(entry.place)} aria-current={entry.view === view ? "page" : undefined}>
              {entry.label}
            </a>
          </li>
        ))}
      </ul>
      <button type="button" class="plain" onClick={onSignOut}>
        {words.session.out}
      </button>
    </nav>
  );
}
