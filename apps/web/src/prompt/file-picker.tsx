import type { TemplateFilesResponse } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { Button } from "../controls/fields.tsx";
import { Pending } from "../controls/problem.tsx";
import { useModal } from "../controls/use-modal.ts";
import { useRoute } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { promptWords } from "../text/prompt-words.ts";
import { isVariable } from "./template-tags.ts";

interface FilePickerProps {
  /** `""`: host's folder. */
  readonly cwd: string;
  readonly onChoose: (path: string) => void;
  readonly onClose: () => void;
}

export function FilePicker({ cwd, onChoose, onClose }: FilePickerProps): JSX.Element {
  const said = promptWords.files;
  const dialog = useModal();
  const filter = useRef<HTMLInputElement>(null);
  const [folder, setFolder] = useState("");
  const [wanted, setWanted] = useState("");
  const query = { ...(cwd === "" ? {} : { cwd }), ...(folder === "" ? {} : { folder }) };
  const loaded = useRoute(routes.listTemplateFiles, { query });
  // Prevents a quick click from choosing in the previous folder.
  const isLooking = loaded.state === "loading" || (loaded.state === "ready" && loaded.value.folder !== folder);
  const open = (path: string): void => {
    setFolder(path);
    setWanted("");
    filter.current?.focus();
  };
  return (
    <dialog ref={dialog} class="files" aria-labelledby="files-title" onClose={onClose}>
      <h2 id="files-title">{said.title}</h2>
      <label class="wanted">
        <span>{said.filter}</span>{" "}
        <input
          ref={filter}
          type="search"
          value={wanted}
          spellcheck={false}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      </label>
      {isLooking && <p class="quiet">{said.loading}</p>}
      {loaded.state === "failed" && <Pending of={loaded} />}
      {loaded.state === "ready" && !isLooking && (
        <Folder
          listed={loaded.value}
          wanted={wanted}
          onOpen={open}
          onChoose={(path) => {
            onChoose(path);
            dialog.current?.close();
          }}
        />
      )}
      <form method="dialog" class="row">
        {folder !== "" && <Button text={said.start} onClick={() => open("")} />}
        <Button text={said.cancel} type="submit" />
      </form>
    </dialog>
  );
}

interface FolderProps {
  readonly listed: TemplateFilesResponse;
  readonly wanted: string;
  readonly onOpen: (folder: string) => void;
  readonly onChoose: (path: string) => void;
}

function Folder({ listed, wanted, onOpen, onChoose }: FolderProps): JSX.Element {
  const said = promptWords.files;
  const { cwd, folder, parent, leftOut } = listed;
  const entries = listed.entries.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  return (
    <>
      <p>
        <code dir="ltr">{folder === "" ? cwd : folder}</code>
      </p>
      <ul class="entries" aria-label={said.list}>
        {parent !== null && (
          <li>
            <Button text={said.up} class="plain" onClick={() => onOpen(parent)} />
          </li>
        )}
        {entries.map(({ name, kind, path, sizeBytes }) => (
          <li key={name}>
            <button
              type="button"
              class="plain"
              disabled={kind !== "folder" && !isVariable(`file:${path}`)}
              onClick={() => (kind === "folder" ? onOpen(path) : onChoose(path))}
            >
              <span dir="auto">{kind === "folder" ? said.folder(name) : name}</span>{" "}
              {kind === "file" && <span class="quiet">{amounts.bytes(sizeBytes)}</span>}
              {kind === "link" && <span class="quiet">{said.link}</span>}
            </button>
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p class="quiet">{wanted === "" ? said.empty : said.noneFits}</p>}
      {leftOut > 0 && <p class="quiet">{said.more(amounts.count(leftOut))}</p>}
    </>
  );
}
