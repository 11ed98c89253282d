import { useLayoutEffect, useState } from "preact/hooks";

/** An empty string selects the host's default. */
export interface BeginsWith {
  readonly model: string;
  readonly profile: string;
  readonly cwd: string;
}

/** In the URL fragment, so that it can be bookmarked and shared. */
export type Place =
  | { readonly view: "conversations"; readonly id: string | undefined; readonly beginsWith?: BeginsWith }
  | { readonly view: "told"; readonly id: string; readonly stepId: string | undefined }
  | { readonly view: "calls"; readonly id: string | undefined }
  /** `YYYY-MM-DD`, or `undefined` for all days. */
  | { readonly view: "costs"; readonly day: string | undefined }
  /** As in `CompareProps`. */
  | { readonly view: "compare"; readonly left: string | undefined; readonly right: string | undefined }
  | { readonly view: "prompt" }
  | { readonly view: "schedules" }
  | { readonly view: "channels" }
  | { readonly view: "host" }
  /** `undefined` for a new agent. */
  | { readonly view: "agent"; readonly name: string | undefined };

const idShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const sideShape =
  /^(?:version:[1-9]\d{0,11}|prompt:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?::[0-9a-f]{64})?)$/;
const dayShape = /^\d{4}-\d{2}-\d{2}$/;

function sideOf(text: string | undefined): string | undefined {
  return text !== undefined && sideShape.test(text) ? text : undefined;
}

function placeOf(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view, id, detail, stepId] = path.split("/");
  if (view === "prompt" || view === "host" || view === "schedules" || view === "channels") return { view };
  if (view === "agent") return { view, name: nameOf(id) };
  if (view === "compare") return { view, left: sideOf(id), right: sideOf(detail) };
  if (view === "calls") return { view, id: id !== undefined && idShape.test(id) ? id : undefined };
  if (view === "costs") return { view, day: id !== undefined && dayShape.test(id) ? id : undefined };
  if (view !== "conversations" || id === undefined || !idShape.test(id))
    return { view: "conversations", id: undefined, ...(query === "" ? {} : { beginsWith: beginsWithOf(query) }) };
  if (detail === "told") return { view: "told", id, stepId };
  return { view: "conversations", id };
}

/** Returns `undefined` for an invalid encoding. */
function nameOf(text: string | undefined): string | undefined {
  try {
    return text === undefined || text === "" ? undefined : decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function beginsWithOf(query: string): BeginsWith {
  const chosen = new URLSearchParams(query);
  return {
    model: chosen.get("model") ?? "",
    profile: chosen.get("profile") ?? "",
    cwd: chosen.get("cwd") ?? "",
  };
}

export function addressOf(place: Place): string {
  if (place.view === "compare") return `#/compare/${place.left ?? "-"}/${place.right ?? "-"}`;
  if (place.view === "agent")
    return place.name === undefined ? "#/agent" : `#/agent/${encodeURIComponent(place.name)}`;
  if (place.view === "calls") return place.id === undefined ? "#/calls" : `#/calls/${place.id}`;
  if (place.view === "costs") return place.day === undefined ? "#/costs" : `#/costs/${place.day}`;
  if (place.view === "told")
    return `#/conversations/${place.id}/told${place.stepId === undefined ? "" : `/${place.stepId}`}`;
  if (place.view !== "conversations") return `#/${place.view}`;
  if (place.id !== undefined) return `#/conversations/${place.id}`;
  const chosen = new URLSearchParams(Object.entries(place.beginsWith ?? {}).filter(([, value]) => value !== ""));
  return chosen.size === 0 ? "#/conversations" : `#/conversations?${chosen.toString()}`;
}

export function goTo(place: Place): void {
  location.hash = addressOf(place);
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => placeOf(location.hash));
  // Layout effect: navigation before the first paint would be missed.
  useLayoutEffect(() => {
    const follow = (): void => setPlace(placeOf(location.hash));
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return place;
}
