import { sentText, type ChangedFile, type FileChanges, type Message, type RestoredFiles } from "@incipit/schema";
import { restoreFiles, routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Confirm } from "../controls/confirm.tsx";
import { Problem } from "../controls/problem.tsx";
import { addressOf, goTo } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { words } from "../text/words.ts";
import { keepDraft } from "./draft.ts";

interface ChangedFilesProps {
  readonly conversationId: string;
  /** Its turn and all later ones are undone. */
  readonly message: Message;
}

interface Undone {
  readonly files: RestoredFiles["files"];
  readonly copy: string;
}

export function ChangedFiles({ conversationId, message }: ChangedFilesProps): JSX.Element {
  const said = words.undo;
  const params = { id: conversationId };
  const range = { from: message.id };
  const { loaded, reload } = useLoad(
    (signal) => api.call(routes.listFileChanges, { params, query: range, signal }),
    [conversationId, message.id],
  );
  const [isAsking, setIsAsking] = useState(false);
  const [isRunning, setIsRunning] = useState(false);
  const [undone, setUndone] = useState<Undone>();
  const [error, setError] = useState<unknown>();
  if (loaded.state === "loading") return <p class="quiet">{words.state.loading}</p>;
  if (loaded.state === "failed") return <Problem error={loaded.error} onRetry={reload} />;
  const paths = loaded.value.files.flatMap(({ path, state }) => (state === "restorable" ? path : []));
  const takeBack = async (): Promise<void> => {
    const files: RestoredFiles["files"] = [];
    for await (const some of restoreFiles(api, conversationId, { range, paths })) files.push(...some);
    const { conversation } = await api.call(routes.forkConversation, { params, body: { before: message.id } });
    keepDraft(conversation.id, sentText(message));
    const told = files.filter(({ outcome, isKept }) => outcome === "left" || isKept === false);
    if (told.length > 0) setUndone({ files: told, copy: conversation.id });
    else goTo({ view: "conversations", id: conversation.id });
  };
  const agreed = (): void => {
    setError(undefined);
    setIsRunning(true);
    takeBack()
      .catch((failure: unknown) => {
        setError(failure);
        reload();
      })
      .finally(() => setIsRunning(false));
  };
  if (undone !== undefined) return <UndoneView {...undone} />;
  return (
    <>
      <ChangesView changes={loaded.value} />
      {error !== undefined && <Problem error={error} />}
      <p>
        <button type="button" disabled={isRunning} onClick={() => setIsAsking(true)}>
          {said.button}
        </button>
      </p>
      {isAsking && (
        <Confirm
          title={said.askTitle}
          text={said.askText(paths.length)}
          agree={said.agree}
          onAgree={agreed}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

function ChangesView({ changes: { files, otherTools } }: { readonly changes: FileChanges }): JSX.Element {
  const said = words.undo;
  const changed = files.filter(({ state }) => state !== "unchanged");
  return (
    <>
      {changed.length === 0 && <p class="quiet">{said.none}</p>}
      {changed.length > 0 && (
        <ul class="changed-files">
          {changed.map((file) => (
            <li key={file.path}>
              <ChangedFileView file={file} />
            </li>
          ))}
        </ul>
      )}
      {otherTools.length > 0 && <p class="quiet">{said.others(otherTools.join(", "))}</p>}
    </>
  );
}

function ChangedFileView({ file: { path, action, preview, why } }: { readonly file: ChangedFile }): JSX.Element {
  const said = words.undo;
  const lines = preview === undefined ? undefined : hunkLines(preview);
  return (
    <>
      <p>
        <code dir="auto">{path}</code> {action === undefined ? (why ?? said.stays) : said.actions[action]}
      </p>
      {action !== undefined && why !== undefined && <p class="quiet">{why}</p>}
      {lines !== undefined && (
        <pre class="diff" tabIndex={0} dir="auto" role="region" aria-label={said.change(path)}>
          {lines.map((text, index) => (
            <span key={index} data-kind={kinds[text.charAt(0)] ?? "same"}>{`${text}\n`}</span>
          ))}
        </pre>
      )}
    </>
  );
}

function UndoneView({ files, copy }: Undone): JSX.Element {
  const said = words.undo;
  return (
    <div class="problem" role="alert">
      <p>{said.notAll}</p>
      <ul>
        {files.map(({ path, outcome, why }) => (
          <li key={path}>
            <code dir="auto">{path}</code> {outcome === "left" ? (why ?? said.stays) : said.notKept}
          </li>
        ))}
      </ul>
      <p>
        <a class="button" href={addressOf({ view: "conversations", id: copy })}>
          {said.goOn}
        </a>
      </p>
    </div>
  );
}

const kinds: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place", "\\": "note" };

function hunkLines(preview: string): readonly string[] | undefined {
  const hunks = /^--- .*\n\+\+\+ .*\n([^]*)$/.exec(preview)?.[1];
  return hunks?.trimEnd().split("\n");
}
