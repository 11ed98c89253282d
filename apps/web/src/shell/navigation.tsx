import type { JSX } from "preact";
import { Button } from "../controls/fields.tsx";
import { addressOf, type Place } from "../place/place.ts";
import { words } from "../text/words.ts";
import { rooms } from "./rooms.ts";

interface NavigationProps {
  readonly place: Place;
  readonly onCommands: () => void;
  readonly onSignOut: () => void;
}

const belongsTo = {
  conversations: "conversations",
  told: "conversations",
  prompt: "prompt",
  compare: "prompt",
  calls: "calls",
  schedules: "schedules",
  channels: "channels",
  costs: "costs",
  host: "host",
  agent: "host",
} as const satisfies Record<Place["view"], string>;

/** Apple keyboards use another modifier key. */
const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

export function Navigation({ place, onCommands, onSignOut }: NavigationProps): JSX.Element {
  const view = belongsTo[place.view];
  return (
    <nav class="navigation" aria-label={words.nav.label}>
      <a class="product" href="#/conversations">
        {words.product}
      </a>
      <ul>
        {rooms.map((entry) => (
          <li key={entry.view}>
            <a
              href={addressOf(entry.place)}
              aria-label={entry.label}
              aria-current={entry.view === view ? "page" : undefined}
            >
              <span class="long">{entry.label}</span>
              <span class="short">{"shortLabel" in entry ? entry.shortLabel : entry.label}</span>
            </a>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="plain"
        title={words.commands.title}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={onCommands}
      >
        {words.commands.open}{" "}
        <kbd aria-hidden="true">{isApple ? words.commands.openKey.apple : words.commands.openKey.other}</kbd>
      </button>
      <Button text={words.session.out} class="plain" onClick={onSignOut} />
    </nav>
  );
}
