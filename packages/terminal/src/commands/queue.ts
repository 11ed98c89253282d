import { routes } from "@incipit/transport-contract";
import type { TerminalCommand } from "./command.ts";
import { shownLines } from "./message-text.ts";

const resumeAll = "resume";

export const queue: TerminalCommand = {
  name: "queue",
  summary: "shows the queued messages: edit or remove one",
  async run({ session, choose, tell, write }) {
    const { conversation } = session;
    const waiting = session.queue;
    if (conversation === undefined || waiting.length === 0)
      return tell("The queue is empty: messages sent during a turn wait here");
    const isWaiting = conversation.status === "waiting";
    const choices = [
      ...(isWaiting
        ? [{ value: resumeAll, label: "Send all", description: "waiting since the host stopped" }]
        : []),
      ...waiting.map(({ turnId, input, position }) => ({
        value: turnId,
        label: `${position}. ${input.slice(0, 300)}`,
      })),
    ];
    const preview = (value: string): readonly string[] =>
      shownLines(waiting.find(({ turnId }) => turnId === value)?.input ?? "");
    const chosen = await choose("Queued:", choices, { preview });
    if (chosen === undefined) return;
    if (chosen === resumeAll) {
      const { resumed } = await session.client.call(routes.resumeConversation, { params: { id: conversation.id } });
      return tell(`Sending ${resumed} messages`);
    }
    const what = await choose("What to do with it?", [
      { value: "edit", label: "Return it to the editor" },
      { value: "remove", label: "Remove it" },
      { value: "leave", label: "Keep it in the queue" },
    ]);
    if (what !== "edit" && what !== "remove") return;
    const text = await session.takeBack(chosen);
    if (text === undefined) return tell("It is no longer queued: it was sent or removed", "warning");
    if (what === "edit") write(text);
    else tell("Removed");
  },
};
