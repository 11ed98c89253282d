import type { Conversation, PromptDrift } from "@incipit/schema";
import type { JSX } from "preact";
import { addressOf } from "../place/place.ts";
import { toldWords } from "../text/told-words.ts";
import { useDrift } from "./use-drift.ts";

const mostNames = 3;

export function DriftBadge({ conversation }: { readonly conversation: Conversation }): JSX.Element | null {
  const { id, status, epoch } = conversation;
  // A turn may build or keep the prompt.
  const loaded = useDrift(id, [status, epoch]);
  if (loaded.state !== "ready" || loaded.value === null || loaded.value.isSame) return null;
  const names = causeNames(loaded.value);
  return (
    <a class="badge" dir="auto" href={addressOf({ view: "told", id, stepId: undefined })}>
      <span aria-hidden="true">⚠ </span>
      {names.length === 0 ? toldWords.drift.badge : toldWords.drift.badgeOf(names.slice(0, mostNames).join(", "))}
    </a>
  );
}

function causeNames({ hunks }: PromptDrift): readonly string[] {
  const names = hunks.flatMap(({ causes }) =>
    causes.map(({ kind, name }) => (name === "" ? toldWords.drift.kinds[kind] : name)),
  );
  return [...new Set(names)];
}
