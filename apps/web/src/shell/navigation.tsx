import type { JSX } from "preact";
import { words } from "../text/words.ts";
import { addressOf, type Place } from "../place/place.ts";
import { rooms } from "./rooms.ts";

interface NavigationProps {
  readonly place: Place;
  readonly onSignOut: () => void;
}

/** Which entry a view stands under. */
const belongsTo = {
  conversations: "conversations",
  told: "conversations",
  prompt: "prompt",
  compare: "prompt",
  calls: "calls",
  costs: "costs",
  host: "host",
} as const satisfies Record<Place["view"], string>;

export function Navigation({ place, onSignOut }: NavigationProps): JSX.Element {
  const view = belongsTo[place.view];
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
