import { describeFile, type FilePart } from "@incipit/schema";
import type { LoadedConversation } from "./loaded-conversation.ts";
import { StepFailure } from "../failures/step-failure.ts";
import { filesOf, messageFileId } from "./message-files.ts";

const maxNamed = 3;

/** Lists files not yet in an answered request, else all, and how to remove each. */
export function withRefusedFiles(failure: unknown, { record, history }: LoadedConversation): unknown {
  if (!(failure instanceof StepFailure) || failure.failure.code !== "FILE_REFUSED") return failure;
  const answered = history.findLastIndex(({ role }) => role === "assistant");
  const filesFrom = (index: number): readonly FilePart[] =>
    history.slice(index).flatMap(({ parts }) => parts.flatMap(filesOf));
  const fresh = filesFrom(answered + 1);
  const files = fresh.length > 0 ? fresh : filesFrom(0);
  const named = [...new Map(files.map((file) => [messageFileId(file), file]))];
  const [newest] = named.at(-1) ?? [];
  if (newest === undefined) return failure;
  const shown = named.slice(-maxNamed).map(([id, file]) => `${id} [${describeFile(file)}]`);
  const more = named.length > maxNamed ? ` and ${named.length - maxNamed} others` : "";
  const said = failure.failure.message.replace(/[.;]$/, "");
  const how = `incipit conversations remove-file ${record.id} ${newest}`;
  const message = `${said}; the request has the file ${shown.join(", ")}${more}: remove it (/remove-file, or ${how}), and send the message again`;
  return new StepFailure({ ...failure.failure, message });
}
