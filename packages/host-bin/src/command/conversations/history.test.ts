import { expect, test } from "bun:test";
import { answeringHost, turn } from "../testing/answering-host.ts";
import { bareConversation } from "../testing/bare-conversation.ts";
import { runCommand } from "../testing/run-command.ts";

const { id, createdAt } = bareConversation;
const turnIds = [1, 2, 3].map((number) => `01a1fcd7-5c9a-7556-afda-${String(number).padStart(12, "0")}`);

interface Said {
  readonly role: "user" | "assistant" | "tool";
  readonly turn: 1 | 2 | 3;
  readonly parts: readonly unknown[];
  readonly epoch?: number;
}

function message({ role, turn: number, parts, epoch = 1 }: Said): unknown {
  return { id, role, turnId: turnIds[number - 1], epoch, createdAt, parts };
}

function text(role: Said["role"], said: string, number: Said["turn"] = 1): Said {
  return { role, turn: number, parts: [{ type: "text", text: said }] };
}

async function run(
  pages: readonly (readonly Said[])[],
  ends: readonly unknown[] = [],
  ...words: readonly string[]
): Promise<string> {
  const events = ends.map((end) => ({ type: "turn-end", ...Object(end) }) as const);
  const messages = pages.map((page, index) => ({
    messages: page.map(message),
    ...(index === pages.length - 1 ? {} : { nextCursor: `page ${index}` }),
  }));
  const followed = events.length === 0 ? [] : [turn(events)];
  const conversation = { ...bareConversation, lastSeq: events.length };
  const { client } = answeringHost({ conversation }, ...followed, ...messages);
  const { exitCode, stdout } = await runCommand(["conversations", "history", id, ...words], { client });
  expect(exitCode).toBe(0);
  return stdout;
}

test("history prints the messages of every page and omits provider-only content", async () => {
  const call = { toolCallId: "1", name: "read" };
  const thought: Said = { role: "assistant", turn: 1, parts: [{ type: "reasoning", text: "Hm." }] };
  const calls: Said = {
    role: "assistant",
    turn: 1,
    parts: [{ type: "tool-call", ...call, input: '{\n"path": "a"}' }],
  };
  const results: Said = {
    role: "tool",
    turn: 1,
    parts: [
      { type: "tool-result", ...call, output: "it\nsays", isError: false },
      { type: "tool-result", ...call, output: "none", isError: true },
    ],
  };
  const files: Said = {
    role: "user",
    turn: 1,
    parts: [
      { type: "file", mediaType: "image/png", data: "", filename: "a.png" },
      { type: "file", mediaType: "image/png", data: "" },
    ],
  };

  expect(
    await run([
      [text("user", "One\ntwo\n\n"), files],
      [thought, calls, results, text("assistant", "Read.\n")],
    ]),
  ).toBe(
    [
      "> One",
      "> two",
      "> [file: a.png, image/png]",
      "> [file: without a name, image/png]",
      '[read] {"path":"a"}',
      "  it\\nsays",
      "  failed: none",
      "Read.",
      "",
    ].join("\n"),
  );
});

test("history marks incomplete turns after their last message, and the start of epochs", async () => {
  const pages = [
    [text("user", "A", 1), text("assistant", "a", 1), text("user", "B", 2)],
    [
      { ...text("user", "C", 3), epoch: 2 },
      { ...text("assistant", "c", 3), epoch: 2 },
    ],
  ];
  const ends = [
    { status: "failed", error: { code: "X", message: "no credit" } },
    { status: "completed" },
    { status: "interrupted" },
  ];
  const named = ends.map((end, index) => ({ ...end, turnId: turnIds[index] }));

  expect(await run(pages, named)).toBe(
    [
      "> A",
      "a",
      "(the turn failed: no credit)",
      "> B",
      "(compaction: what follows begins epoch 2)",
      "> C",
      "c",
      "(interrupted: the host ended before the turn did)",
      "",
    ].join("\n"),
  );
  const lines = (await run(pages, named, "--json")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).type ?? JSON.parse(line).role)).toEqual([
    "user",
    "assistant",
    "turn-end",
    "user",
    "user",
    "assistant",
    "turn-end",
  ]);
});

test("history prints nothing for an empty conversation", async () => {
  expect(await run([[]])).toBe("");
});
