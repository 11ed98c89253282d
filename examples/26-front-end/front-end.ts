/** A front end of your own, in plain lines: `bun front-end.ts URL TOKEN [CONVERSATION]`. */
import { createClient, type Client } from "@incipit/client";
import { ConversationSession, type SessionState } from "@incipit/client/session";
import type { Message } from "@incipit/schema";
import { createInterface } from "node:readline/promises";

/** The session retries, so its client does not. */
export function clientFor(url: string, token: string): Client {
  return createClient({ url, token, retry: { giveUpAfterMs: 0 } });
}

/** The whole screen follows from the state. */
export function render({ messages, live, conversation, queue, isAway }: SessionState): string {
  const stored = messages.filter(({ turnId }) => turnId !== live?.turnId);
  return [
    ...stored.map((message) => `${message.role}: ${textOf(message)}`),
    ...(live === undefined ? [] : [`user: ${live.input ?? ""}`, `assistant: ${live.parts.map(partText).join("")}`]),
    ...conversation.approvals.map(({ name, input }) => `allow ${name} ${input}? y or n`),
    ...queue.map(({ input }) => `waits: ${input}`),
    isAway ? "[the host is away]" : `[${conversation.status}]`,
  ].join("\n");
}

function textOf({ parts }: Message): string {
  return parts.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("");
}

function partText(part: NonNullable<SessionState["live"]>["parts"][number]): string {
  if (part.kind === "text") return part.text;
  return part.kind === "tool-call" ? `(${part.name})` : "";
}

/** A command, an answer, or a message. */
export async function enter(session: ConversationSession, line: string): Promise<void> {
  const { conversation, queue = [] } = session.state ?? {};
  const approval = conversation?.approvals[0];
  const last = queue.at(-1);
  if (line === "/stop") await session.stop();
  else if (line === "/unsend" && last !== undefined) await session.takeBack(last.turnId);
  else if (approval !== undefined && (line === "y" || line === "n"))
    await session.answerApproval(approval.approvalId, { decision: line === "y" ? "allow" : "deny" });
  else await session.send({ input: line });
}

if (import.meta.main) {
  const [url = "", token = "", known] = process.argv.slice(2);
  const client = clientFor(url, token);
  const id = known ?? (await client.call("POST /conversations", { body: {} })).conversation.id;
  const session = new ConversationSession({ client, id });
  session.subscribe((state) => process.stdout.write(`\u001B[2J\u001B[H${render(state)}\n> `));
  const lines = createInterface({ input: process.stdin });
  lines.on(
    "line",
    (line) => void enter(session, line).catch((error: unknown) => process.stderr.write(`${String(error)}\n`)),
  );
  lines.on("close", () => session.close());
  await session.follow();
}
