import type { JSX } from "preact";
import { Button, submitting } from "../controls/fields.tsx";
import { addressOf, type BeginsWith } from "../place/place.ts";
import { promptWords } from "../text/prompt-words.ts";
import type { TemplateState } from "./use-template.ts";

interface SaveBarProps {
  readonly stored: TemplateState;
  readonly isDirty: boolean;
  readonly isKept: boolean;
  /** Also for a conversation that tries the template. */
  readonly tryWith: BeginsWith;
  readonly note: string;
  readonly onNote: (note: string) => void;
  readonly onSave: () => void;
  readonly onDiscard: () => void;
}

export function SaveBar({ stored, isDirty, isKept, tryWith, note, ...on }: SaveBarProps): JSX.Element {
  const { onNote, onSave, onDiscard } = on;
  const said = promptWords.saving;
  const isStale = isDirty && stored.etag !== stored.inForce.etag;
  return (
    <form class="save row" onSubmit={submitting(onSave)}>
      <p role="status">
        {isDirty ? (isKept ? said.unsaved : said.notKept) : stored.done === "" ? stateOf(stored) : stored.done}
        {isStale && ` ${said.stale}`}
      </p>
      {!isDirty && stored.done !== "" && (
        <a href={addressOf({ view: "conversations", id: undefined, beginsWith: tryWith })}>{said.tryIt}</a>
      )}
      {isDirty && (
        <>
          <input
            value={note}
            maxLength={1_000}
            dir="auto"
            placeholder={said.note}
            aria-label={said.note}
            onInput={({ currentTarget }) => onNote(currentTarget.value)}
          />
          <Button text={said.discard} onClick={onDiscard} />
        </>
      )}
      <Button text={said.save} type="submit" class="main" disabled={!isDirty} />
    </form>
  );
}

function stateOf({ inForce: { source, version } }: TemplateState): string {
  const said = promptWords.saving;
  return source === "stored" ? said.stored(version) : said[source];
}
