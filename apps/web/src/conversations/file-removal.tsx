import type { SessionState } from "@incipit/client/session";
import type { FilePart, Message } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { createContext, type JSX } from "preact";
import { useContext } from "preact/hooks";
import { AskingButton } from "../controls/confirm.tsx";
import { useTrying } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { hexOf } from "../text/bytes.ts";
import { words } from "../text/words.ts";

/** As in the host's error. */
const maxOffered = 3;
const idLength = 12;

export interface FileRemoval {
  readonly conversationId: string;
  /** Files of other epochs are not sent. */
  readonly epoch: number;
  /** The host refuses removals during a turn. */
  readonly isBusy: boolean;
  /** Only if the provider rejected a file in it. */
  readonly refusedTurnId: string | undefined;
  /** Newest last. */
  readonly refused: readonly FilePart[];
  readonly onRemoved: (file: FilePart) => void;
}

/** Without a value, files are read-only. */
export const FileRemovalContext = createContext<FileRemoval | undefined>(undefined);

/** Same rule as the host's error. */
export function fileRemoval(
  { conversation, messages }: Pick<SessionState, "conversation" | "messages">,
  onRemoved: (file: FilePart) => void,
): FileRemoval {
  const newest = messages.at(-1);
  const isRefused = newest?.turnEnd?.error?.code === "FILE_REFUSED";
  return {
    conversationId: conversation.id,
    epoch: newest?.epoch ?? 1,
    isBusy: conversation.status !== "idle",
    refusedTurnId: isRefused ? newest.turnId : undefined,
    refused: isRefused ? refusedFiles(messages.filter(({ epoch }) => epoch === newest.epoch)) : [],
    onRemoved,
  };
}

/** All files if every request has an answer. */
function refusedFiles(messages: readonly Message[]): readonly FilePart[] {
  const answered = messages.findLastIndex(({ role }) => role === "assistant");
  const fresh = filesOf(messages.slice(answered + 1));
  return (fresh.length > 0 ? fresh : filesOf(messages)).slice(-maxOffered);
}

/** Deduplicated by content. */
function filesOf(messages: readonly Message[]): readonly FilePart[] {
  const files = messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === "file" ? [part] : part.type === "tool-result" ? (part.files ?? []) : [],
    ),
  );
  const left = files.filter(({ removedAt }) => removedAt === undefined);
  return [...new Map(left.map((file) => [file.data, file])).values()];
}

interface FileActionsProps {
  readonly file: FilePart;
  readonly epoch: number;
}

export function FileActions({ file, epoch }: FileActionsProps): JSX.Element | null {
  const removal = useContext(FileRemovalContext);
  if (file.removedAt !== undefined) return <p class="quiet">{words.files.removed}</p>;
  if (removal === undefined || removal.epoch !== epoch) return null;
  return <RemoveFileButton file={file} removal={removal} />;
}

export function RefusedFiles({ turnId }: { readonly turnId: string }): JSX.Element | null {
  const removal = useContext(FileRemovalContext);
  if (removal === undefined || removal.refusedTurnId !== turnId || removal.refused.length === 0) return null;
  return (
    <>
      {removal.refused.map((file) => (
        <RemoveFileButton key={file.data} file={file} removal={removal} isOffer />
      ))}
    </>
  );
}

interface RemoveFileButtonProps {
  readonly file: FilePart;
  readonly removal: FileRemoval;
  readonly isOffer?: boolean;
}

function RemoveFileButton({ file, removal, isOffer = false }: RemoveFileButtonProps): JSX.Element {
  const said = words.files;
  const name = file.filename ?? file.mediaType;
  const { trying, problem, isRunning } = useTrying();
  const remove = async (): Promise<void> => {
    const params = { id: removal.conversationId, fileId: await fileIdOf(file) };
    await api.call(routes.removeMessageFile, { params });
    removal.onRemoved(file);
  };
  return (
    <>
      <p>
        <AskingButton
          text={said.remove(name)}
          class={isOffer ? undefined : "plain"}
          disabled={isRunning || removal.isBusy}
          question={{
            title: said.askTitle(name),
            text: said.askText,
            agree: said.agree,
            onAgree: () => void trying(remove),
          }}
        />
      </p>
      {problem}
    </>
  );
}

/** @throws on plain HTTP, where browsers offer no hashing. */
async function fileIdOf({ data }: FilePart): Promise<string> {
  if (!isSecureContext) throw new Error(words.files.needsHttps);
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  return hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))).slice(0, idLength);
}
