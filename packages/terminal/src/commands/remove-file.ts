import { routes } from "@incipit/transport-contract";
import type { TerminalCommand } from "./command.ts";

export const removeFile: TerminalCommand = {
  name: "remove-file",
  summary: "removes an image or file from requests",
  async run({ session, choose, tell }) {
    const id = session.conversation?.id;
    if (id === undefined) return tell("The conversation is empty");
    const { files } = await session.client.call(routes.listMessageFiles, { params: { id } });
    const left = files.filter(({ removedAt }) => removedAt === undefined).toReversed();
    const choices = left.map(({ id: value, filename, mediaType, sizeBytes }) => ({
      value,
      label: filename ?? mediaType,
      description: `${mediaType}, ${sizeBytes} bytes`,
    }));
    const fileId = await choose("Remove which file from requests?", choices, {
      empty: "No files in messages since the last compaction",
    });
    if (fileId === undefined) return;
    await session.client.call(routes.removeMessageFile, { params: { id, fileId } });
    tell("Removed from the next request on", "good");
  },
};
