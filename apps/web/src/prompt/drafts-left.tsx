import type { JSX } from "preact";
import { AskingButton } from "../controls/confirm.tsx";
import { Button } from "../controls/fields.tsx";
import { amounts } from "../text/amounts.ts";
import { promptWords } from "../text/prompt-words.ts";
import type { Draft } from "./drafts.ts";

interface DraftsLeftProps {
  readonly drafts: readonly Draft[];
  readonly onOpen: (draft: Draft) => void;
  readonly onRemove: (draft: Draft) => void;
}

const shownOfEach = 120;

/** From closed tabs or set aside. */
export function DraftsLeft({ drafts, onOpen, onRemove }: DraftsLeftProps): JSX.Element | null {
  const said = promptWords.kept;
  if (drafts.length === 0) return null;
  return (
    <section class="kept" aria-labelledby="kept-title">
      <h2 id="kept-title">{said.title}</h2>
      <ul>
        {drafts.map((draft) => (
          <li key={draft.id}>
            <p dir="auto">
              <span class="quiet">
                {said.from(amounts.time(draft.savedAt))}. {said.begins}
              </span>{" "}
              {draft.text.slice(0, shownOfEach)}
            </p>
            <div class="row">
              <Button text={said.open} class="plain" onClick={() => onOpen(draft)} />
              <AskingButton
                text={said.remove}
                class="plain"
                question={{
                  title: said.removeTitle,
                  text: said.removeText,
                  agree: said.remove,
                  onAgree: () => onRemove(draft),
                }}
              />
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
