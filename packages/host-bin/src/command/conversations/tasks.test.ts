import { conversationTaskSchema, type ConversationTask, type Spent } from "@incipit/schema";
import { expect, test } from "bun:test";
import { bareConversation } from "../testing/bare-conversation.ts";
import { runAgainst, type RanAgainst } from "../testing/run-command.ts";

const nothing: Spent = { tokens: 0, usd: 0, unpriced: 0 };
const spent = (tokens: number, usd: number): Spent => ({ tokens, usd, unpriced: 0 });

function taskOf(title: string, own: Spent, spentBelow: Spent = nothing): ConversationTask {
  return conversationTaskSchema.parse({
    conversation: { ...bareConversation, title, archived: true },
    spent: own,
    spentBelow,
  });
}

function ran(words: readonly string[], ...answers: readonly unknown[]): Promise<RanAgainst> {
  return runAgainst(["conversations", "tasks", ...words], ...answers);
}

test("conversations tasks prints a tree, each task before its own tasks, with outcomes", async () => {
  const { stdout } = await ran(
    [bareConversation.id],
    { tasks: [taskOf("Look\nfar", spent(1_200, 0.006), spent(300, 0))], spent: nothing, nextCursor: "next" },
    { tasks: [taskOf("Look near", { tokens: 300, usd: 0, unpriced: 2 })], spent: nothing },
    { tasks: [], spent: nothing },
    { tasks: [taskOf("Look again", spent(7, 0))], spent: nothing },
    { tasks: [], spent: nothing },
  );

  expect(stdout.split("\n").map((line) => line.replace(/^( *)\S+ {2}\S+ \S+ UTC/, "$1ID"))).toEqual([
    "ID  Look\\nfar  (archived)  1,200 tokens, $0.0060, and 300 tokens, $0.0000 below it",
    "  ID  Look near  (archived)  300 tokens",
    "ID  Look again  (archived)  7 tokens, $0.0000",
    "",
  ]);
});

test("conversations tasks prints JSON with depths, and reports an empty list", async () => {
  const task = taskOf("Look", nothing);
  const { stdout } = await ran(
    [bareConversation.id, "--json"],
    { tasks: [task], spent: nothing },
    { tasks: [], spent: nothing },
  );
  const none = await ran([bareConversation.id], { tasks: [], spent: nothing });

  expect(JSON.parse(stdout)).toEqual({ depth: 0, ...task });
  expect([none.stdout, none.stderr]).toEqual(["", "It has given no task to another agent\n"]);
});
