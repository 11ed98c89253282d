import type { Place } from "../place/place.ts";
import { words } from "../text/words.ts";

export const rooms = [
  { view: "conversations", label: words.nav.conversations, place: { view: "conversations", id: undefined } },
  { view: "prompt", label: words.nav.prompt, shortLabel: words.nav.promptShort, place: { view: "prompt" } },
  { view: "calls", label: words.nav.calls, place: { view: "calls", id: undefined } },
  { view: "schedules", label: words.nav.schedules, place: { view: "schedules" } },
  { view: "channels", label: words.nav.channels, place: { view: "channels" } },
  { view: "costs", label: words.nav.costs, place: { view: "costs", day: undefined } },
  { view: "host", label: words.nav.host, place: { view: "host" } },
] as const satisfies readonly {
  readonly view: string;
  readonly label: string;
  readonly shortLabel?: string;
  readonly place: Place;
}[];
