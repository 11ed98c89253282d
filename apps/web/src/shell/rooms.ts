import type { Place } from "../place/place.ts";
import { words } from "../text/words.ts";

/** The views that somebody can go to from everywhere. */
export const rooms = [
  { view: "conversations", label: words.nav.conversations, place: { view: "conversations", id: undefined } },
  { view: "prompt", label: words.nav.prompt, place: { view: "prompt" } },
  { view: "calls", label: words.nav.calls, place: { view: "calls", id: undefined } },
  { view: "costs", label: words.nav.costs, place: { view: "costs", day: undefined } },
  { view: "host", label: words.nav.host, place: { view: "host" } },
] as const satisfies readonly { readonly view: string; readonly label: string; readonly place: Place }[];
