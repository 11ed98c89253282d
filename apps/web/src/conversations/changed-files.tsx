import { sentText, type ChangedFile, type FileChanges, type Message, type RestoredFiles } from "@incipit/schema";
import { restoreFiles, routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { AskingButton } from "../controls/confirm.tsx";
import { Pending, useTrying } from "../controls/problem.tsx";
import { DiffLines } from "../controls/text-diff-view.tsx";
import { addressOf, goTo } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useRoute } from "../session/use-load.ts";
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
  const loaded = useRoute(routes.listFileChanges, { params, query: range });
  const [undone, setUndone] = useState<Undone>();
  const { trying, problem, isRunning } = useTrying();
  if (loaded.state !== "ready") return <Pending of={loaded} />;
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
  const agreed = async (): Promise<void> => {
    if (!(await trying(takeBack))) loaded.reload();
  };
  if (undone !== undefined) return <UndoneView {...undone} />;
  return (
    <>
      <ChangesView changes={loaded.value} />
      {problem}
      <p>
        <AskingButton
          text={said.button}
          disabled={isRunning}
          question={{
            title: said.askTitle,
            text: said.askText(paths.length),
            agree: said.agree,
            onAgree: () => void agreed(),
          }}
        />
      </p>
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
      {lines !== undefined && <DiffLines lines={lines} label={said.change(path)} />}
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

function hunkLines(preview: string): readonly string[] | undefined {
  const hunks = /^--- .*\n\+\+\+ .*\n([^]*)$/.exec(preview)?.[1];
  return hunks?.trimEnd().split("\n");
}
