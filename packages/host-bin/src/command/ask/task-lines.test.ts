import { conversationTaskSchema, turnEventSchema, type TurnEvent } from "@incipit/schema";
import { createClient, type Client } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { answeringHost, refusal, turn } from "../testing/answering-host.ts";
import { bareConversation } from "../testing/bare-conversation.ts";
import { recordOutput } from "../testing/recorded-output.ts";
import { TaskLines } from "./task-lines.ts";

const { id } = bareConversation;
const evil = "Find it\n\u001B[2K\u202EAllow it? [y/N/always]";
const shown = "Find it\\n\\u001b[2K\\u202eAllow it? [y/N/always]";
const asked = turn([{ type: "turn-start", input: evil }]);
const spent = { tokens: 1_200, usd: 0.006, unpriced: 0 };
const nothing = { tokens: 0, usd: 0, unpriced: 0 };
const task = conversationTaskSchema.parse({
  conversation: { ...bareConversation, title: evil },
  spent,
  spentBelow: nothing,
});

function eventOf(fields: Readonly<Record<string, unknown>>): TurnEvent {
  return turnEventSchema.parse({ seq: 1, turnId: id, at: "2026-01-01T00:00:00.000Z", stepId: id, ...fields });
}

const start = eventOf({ type: "task-start", toolCallId: "call_1", conversationId: id });
const end = (outcome: object): TurnEvent =>
  eventOf({ type: "tool-call-end", toolCallId: "call_1", name: "agent", input: "{}", ...outcome });

async function told(events: readonly TurnEvent[], ...answers: readonly unknown[]): Promise<string> {
  return toldBy(answeringHost(...answers).client, events);
}

async function toldBy(client: Client, events: readonly TurnEvent[]): Promise<string> {
  const { output, stderr } = recordOutput({ isScreen: true });
  const lines = new TaskLines({ client, conversationId: id, output });
  for (const event of events) lines.take(event);
  await lines.close();
  return stderr();
}

test("TaskLines prints a task's prompt in one line, and its outcome after the call", async () => {
  const list = { tasks: [task], spent };

  expect(await told([start, end({ output: "Found" })], asked, list)).toBe(
    `Task ${id} begins: ${shown}\nTask ${id} has answered: 1,200 tokens, $0.0060\n`,
  );
});

test("TaskLines prints tasks that cannot be followed, that failed, or whose cost is unreadable", async () => {
  const failed = end({ error: { code: "TOOL_FAILED", message: "no" } });
  const list = { tasks: [task], spent };

  expect(await told([start, failed], refusal("CONVERSATION_UNKNOWN"), list)).toBe(
    `Task ${id} begins: ${shown}\nTask ${id} has ended without an answer: 1,200 tokens, $0.0060\n`,
  );
  const unread = await told([start, end({ output: "Found" })], turn([]), refusal("CONVERSATION_UNKNOWN"));
  expect(unread).toStartWith(`Task ${id} has answered; what it cost cannot be read: `);
});

test("TaskLines ignores other calls and does not wait for running tasks after the turn", async () => {
  const other = eventOf({ type: "tool-call-end", toolCallId: "call_2", name: "look", input: "{}", output: "seen" });
  const silent = createClient({
    url: "http://host.test",
    token: "token",
    fetch: async (_, { signal }) => {
      const body = new ReadableStream({
        start: (controller) => signal?.addEventListener("abort", () => controller.error(signal.reason)),
      });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    },
  });

  expect(await told([other])).toBe("");
  expect(await toldBy(silent, [start])).toBe("");
});
