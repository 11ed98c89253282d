import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { words } from "../text/words.ts";

interface ComposerProps {
  /** What was typed for this place and not sent is kept under it, over a reload. */
  readonly draftKey: string;
  readonly isRunning: boolean;
  /** Resolves once the message is taken; what it rejects with is shown by its owner, and the text stays. */
  readonly onSend: (text: string) => Promise<void>;
  readonly onStop?: () => void;
}

/** Where a message is written. */
export function Composer({ draftKey, isRunning, onSend, onStop }: ComposerProps): JSX.Element {
  const said = words.composer;
  const storageKey = `draft:${draftKey}`;
  const [text, setText] = useState(() => sessionStorage.getItem(storageKey) ?? "");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (text === "") sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, text);
  }, [text]);
  const send = async (): Promise<void> => {
    if (text.trim() === "") return;
    // What is typed while it goes out is the next message.
    setText("");
    field.current?.focus();
    try {
      await onSend(text);
    } catch {
      // Its owner says why; the text is there for another try.
      setText((typed) => (typed === "" ? text : typed));
    }
  };
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={field}
        rows={3}
        dir="auto"
        value={text}
        placeholder={said.placeholder}
        aria-label={said.label}
        aria-describedby="composer-hint"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      <div class="row">
        <span id="composer-hint" class="quiet">
          {said.hint}
        </span>
        {isRunning && onStop !== undefined && (
          <button type="button" onClick={onStop}>
            {said.stop}
          </button>
        )}
        <button type="submit" class="main" disabled={text.trim() === ""}>
          {said.send}
        </button>
      </div>
    </form>
  );
}
