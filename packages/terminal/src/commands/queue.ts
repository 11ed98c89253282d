import { routes } from "@incipit/transport-contract";
import type { TerminalCommand } from "./command.ts";
import { shownLines } from "./message-text.ts";

const resumeAll = "resume";

export const queue: TerminalCommand = {
  name: "queue",
  summary: "shows what waits to be sent: takes a message back into the editor, or removes it",
  async run({ session, choose, tell, write }) {
    const { conversation } = session;
    const waiting = session.queue;
    if (conversation === undefined || waiting.length === 0)
      return tell("Nothing waits: what is sent while something runs would");
    const isWaiting = conversation.status === "waiting";
    const choices = [
      ...(isWaiting
        ? [{ value: resumeAll, label: "Let all of them run", description: "they wait since the host ended" }]
        : []),
      ...waiting.map(({ turnId, input, position }) => ({
        value: turnId,
        label: `${position}. ${input.slice(0, 300)}`,
      })),
    ];
    const preview = (value: string): readonly string[] =>
      shownLines(waiting.find(({ turnId }) => turnId === value)?.input ?? "");
    const chosen = await choose("What waits:", choices, { preview });
    if (chosen === undefined) return;
    if (chosen === resumeAll) {
      const { resumed } = await session.client.call(routes.resumeConversation, { params: { id: conversation.id } });
      return tell(`${resumed} of them run from here on`);
    }
    const what = await choose("What is to become of it?", [
      { value: "edit", label: "Take it back into the editor" },
      { value: "remove", label: "Remove it" },
      { value: "leave", label: "Leave it where it is" },
    ]);
    if (what !== "edit" && what !== "remove") return;
    const text = await session.takeBack(chosen);
    if (text === undefined)
      return tell("It waits no more: it was sent, or somebody else has removed it", "warning");
    if (what === "edit") write(text);
    else tell("Removed");
  },
};
