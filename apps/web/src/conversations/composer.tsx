import { parseCommandCall, type FilePart } from "@incipit/schema";
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useCommands } from "../controls/commands.ts";
import { Button, submitting } from "../controls/fields.tsx";
import { Problem } from "../controls/problem.tsx";
import { words } from "../text/words.ts";
import { Attachments, filePart } from "./attachments.tsx";
import { keepDraft, readDraft } from "./draft.ts";
import type { SentMessage } from "./send-message.ts";
import { SuggestedCommandList, suggestionId, suggestionsId } from "./suggested-commands.tsx";
import { useSuggestedCommands } from "./suggested-commands.tsx";

interface ComposerProps {
  readonly place: string;
  /** The host's if empty. */
  readonly cwd: string;
  readonly isRunning: boolean;
  /** Resolves once accepted; on rejection the owner shows the error and the message stays. */
  readonly onSend: (message: SentMessage) => Promise<void>;
  readonly onStop?: () => void;
}

export function Composer({ place, cwd, isRunning, onSend, onStop }: ComposerProps): JSX.Element {
  const said = words.composer;
  const [text, setText] = useState(() => readDraft(place));
  const [files, setFiles] = useState<readonly FilePart[]>([]);
  const [problem, setProblem] = useState<unknown>();
  const field = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  useCommands([{ id: "write", label: words.commands.write, key: "m", run: () => field.current?.focus() }]);
  // Stored until accepted, in case the page is closed.
  const inFlight = useRef<readonly string[]>([]);
  const keep = (typed: string): void =>
    keepDraft(place, [...inFlight.current, typed].filter((one) => one !== "").join("\n\n"));
  // Layout effect: stored before the text can be sent and this view unmounted.
  useLayoutEffect(() => keep(text), [text]);
  const suggested = useSuggestedCommands(text, cwd);
  const isSuggesting = suggested.commands.length > 0;
  const take = (name: string): void => {
    setText(`/${name} `);
    field.current?.focus();
  };
  const command = parseCommandCall(text);
  const send = async (): Promise<void> => {
    if (text.trim() === "") return;
    setProblem(undefined);
    if (command !== undefined && files.length > 0) {
      setProblem(said.commandTakesNoFiles(command.name));
      return;
    }
    inFlight.current = [...inFlight.current, text];
    const settled = (): void => {
      inFlight.current = inFlight.current.toSpliced(inFlight.current.indexOf(text), 1);
    };
    setText("");
    setFiles([]);
    field.current?.focus();
    try {
      const input = files.length === 0 ? text : [{ type: "text" as const, text }, ...files];
      await onSend(command === undefined ? { input } : { command });
      settled();
      // Immediately: the first message of a conversation unmounts this view.
      keep(field.current?.value ?? "");
    } catch {
      settled();
      // The owner shows the reason.
      setText((typed) => (typed === "" ? text : `${text}\n\n${typed}`));
      setFiles((added) => [...files, ...added]);
    }
  };
  const attach = async (given: readonly File[]): Promise<void> => {
    setProblem(undefined);
    try {
      const added = await Promise.all(given.map(filePart));
      setFiles((before) => [...before, ...added]);
    } catch (error) {
      setProblem(error);
    }
  };
  return (
    <form class="composer" onSubmit={submitting(send)}>
      <Attachments files={files} onRemove={(file) => setFiles(files.filter((other) => other !== file))} />
      {problem !== undefined && <Problem error={problem} />}
      {isSuggesting && (
        <SuggestedCommandList commands={suggested.commands} at={suggested.at} onTake={({ name }) => take(name)} />
      )}
      <textarea
        ref={field}
        rows={3}
        dir="auto"
        value={text}
        placeholder={said.placeholder}
        aria-label={said.label}
        aria-describedby="composer-hint"
        aria-autocomplete={isSuggesting ? "list" : undefined}
        aria-controls={isSuggesting ? suggestionsId : undefined}
        aria-activedescendant={isSuggesting ? suggestionId(suggested.at) : undefined}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onPaste={(event) => {
          const pasted = [...(event.clipboardData?.files ?? [])];
          if (pasted.length === 0) return;
          event.preventDefault();
          void attach(pasted);
        }}
        onKeyDown={(event) => {
          if (isSuggesting && !event.isComposing) {
            const steps = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
            const chosen = suggested.commands[suggested.at];
            const isTaken = event.key === "Enter" && !event.shiftKey && chosen !== undefined;
            if (steps !== 0) suggested.choose(suggested.at + steps);
            if (event.key === "Escape") suggested.close();
            if (isTaken) take(chosen.name);
            if (steps !== 0 || event.key === "Escape" || isTaken) {
              event.preventDefault();
              return;
            }
          }
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void send();
        }}
      />
      <div class="row">
        <span id="composer-hint" class="quiet">
          {command === undefined ? said.hint : said.commandHint(command.name)}
        </span>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label={said.attach}
          onChange={({ currentTarget }) => {
            void attach([...(currentTarget.files ?? [])]);
            currentTarget.value = "";
          }}
        />
        <Button text={said.attach} class="plain" onClick={() => picker.current?.click()} />
        {isRunning && onStop !== undefined && <Button text={said.stop} onClick={onStop} />}
        <Button text={said.send} type="submit" class="main" disabled={text.trim() === ""} />
      </div>
    </form>
  );
}
