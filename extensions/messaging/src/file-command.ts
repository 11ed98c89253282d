import type { ConversationId, MessageFile } from "@incipit/schema";
import type { MessageFilesService } from "@incipit/service-contract";
import { oneLineOf } from "./texts.ts";

const maxListed = 10;

export async function answerFiles(
  files: MessageFilesService,
  { id, given }: { readonly id: ConversationId; readonly given: string },
): Promise<string> {
  const left = (await files.messageFiles(id)).filter(({ removedAt }) => removedAt === undefined).toReversed();
  const [action = "", named, ...more] = given.split(" ").filter((word) => word !== "");
  if (action === "") return listOf(left);
  if (action.toLowerCase() !== "remove" || more.length > 0)
    return "Use /files, /files remove, or /files remove ID.";
  const file = named === undefined ? left[0] : left.find((one) => one.id === named.toLowerCase());
  if (file === undefined && left.length > 0) return `Unknown file "${oneLineOf(named ?? "", 20)}". ${listOf(left)}`;
  if (file === undefined) return listOf(left);
  await files.removeMessageFile(id, file.id);
  return `Removed ${nameOf(file)} from my requests. Send your message again.`;
}

function listOf(left: readonly MessageFile[]): string {
  if (left.length === 0) return "My requests contain no files of this conversation.";
  const lines = left.slice(0, maxListed).map((file) => `${file.id} – ${nameOf(file)}, ${file.sizeBytes} bytes`);
  const others = left.length > maxListed ? [`and ${left.length - maxListed} older ones`] : [];
  return [
    "Files in my requests, newest first:",
    ...lines,
    ...others,
    "/files remove removes the newest, /files remove ID another.",
  ].join("\n");
}

function nameOf({ filename, mediaType }: MessageFile): string {
  return filename === undefined ? mediaType : `${oneLineOf(filename, 100)} (${mediaType})`;
}
