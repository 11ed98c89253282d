import { routes } from "@incipit/transport-contract";
import type { TerminalCommand } from "./command.ts";

export const removeFile: TerminalCommand = {
  name: "remove-file",
  summary: "takes a picture or file out of what the model gets",
  async run({ session, choose, tell }) {
    const id = session.conversation?.id;
    if (id === undefined) return tell("The conversation has not begun");
    const { files } = await session.client.call(routes.listMessageFiles, { params: { id } });
    const left = files.filter(({ removedAt }) => removedAt === undefined).toReversed();
    const choices = left.map(({ id: value, filename, mediaType, sizeBytes }) => ({
      value,
      label: filename ?? mediaType,
      description: `${mediaType}, ${sizeBytes} bytes`,
    }));
    const fileId = await choose("Which file shall the model no longer get?", choices, {
      empty: "No message since the last compaction has a file",
    });
    if (fileId === undefined) return;
    await session.client.call(routes.removeMessageFile, { params: { id, fileId } });
    tell("Removed: the next message is sent without it", "good");
  },
};
