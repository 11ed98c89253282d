import type { CreateTurnRequest } from "@incipit/schema";
import { expect, test } from "bun:test";
import { commands } from "../definitions/commands.ts";
import { parseCommandLine } from "../registry/parse-command-line.ts";
import type { TalkArguments } from "./talk-arguments.ts";
import { ask, openConversation } from "./ask.ts";
import { answeringHost, turn, type TurnEventPart } from "../testing/answering-host.ts";
import { bareConversation } from "../testing/bare-conversation.ts";
import { recordOutput } from "../testing/recorded-output.ts";

function talkArguments(words: readonly string[]): TalkArguments {
  const none = { conversation: undefined, cwd: undefined, effort: undefined, model: undefined, profile: undefined };
  const switches = { isContinued: false, isJson: false };
  const line = parseCommandLine(commands, [...words, "Hi"]);
  const given = line.kind === "command" ? line.args : {};
  return { ...none, ...switches, allow: [], system: [], systemMode: undefined, ...given };
}

const conversation = { ...bareConversation, lastSeq: 4 };
const { id } = conversation;
const start: TurnEventPart = { type: "turn-start", input: "Hi" };
const said: TurnEventPart = { type: "text-delta", stepId: id, partId: "1", text: "Hello" };
const completed: TurnEventPart = { type: "turn-end", status: "completed" };

interface Asked {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly requests: ReturnType<typeof answeringHost>["requests"];
}

async function run(
  words: readonly string[],
  answers: readonly unknown[],
  stopped?: AbortController,
): Promise<Asked> {
  const { client, requests } = answeringHost(...answers);
  const { output, stdout, stderr } = recordOutput();
  const exitCode = await ask("Hi", {
    client,
    dataFolder: "/no/data",
    conversationId: id,
    args: talkArguments(words),
    output,
    askPerson: undefined,
    stop: () => undefined,
    signal: (stopped ?? new AbortController()).signal,
  });
  return { exitCode, stdout: stdout(), stderr: stderr(), requests };
}

test("ask reports the end of the turn by exit code and message", async () => {
  const error = { code: "PROVIDER_FAILED", message: "it is busy" };

  for (const [end, exitCode, words] of [
    [{ status: "completed" }, 0, ""],
    [{ status: "cancelled" }, 130, "Stopped: nothing more is asked of the model, and what was said is kept\n"],
    [{ status: "interrupted" }, 1, "The turn was interrupted\n"],
    [{ status: "failed", error }, 1, "The turn failed: it is busy\n"],
  ] as const)
    expect(await run([], [turn([start, said, { type: "turn-end", ...end }])])).toMatchObject({
      exitCode,
      stdout: expect.stringContaining("Hello"),
      stderr: words,
    });
});

test("ask ends a truncated line and reports that the host went away", async () => {
  const gone = "The host went away before the turn had ended; what it had said is kept\n";

  for (const isCut of [true, false]) {
    expect(await run([], [turn([start, said], { isCut })])).toMatchObject({
      exitCode: 1,
      stdout: "Hello\n",
      stderr: gone,
    });
    expect(await run([], [turn([start], { isCut })])).toMatchObject({ exitCode: 1, stdout: "", stderr: gone });
    const json = await run(["--json"], [turn([start, said], { isCut })]);
    expect(json.stdout.split("\n").map((line) => line && JSON.parse(line).type)).toEqual([
      "turn-start",
      "text-delta",
      "",
    ]);
  }
});

test("ask fails when the arrival of the message is uncertain", async () => {
  const failure = await run([], [turn([], { isCut: true })]).catch((error: unknown) => error);

  expect(failure).toMatchObject({ code: "UNREACHABLE" });
});

test("ask sends the options of a single message", async () => {
  const bodyOf = async (words: readonly string[]): Promise<unknown> =>
    (await run(words, [turn([start, completed])])).requests[0]?.body;

  const input: CreateTurnRequest = { input: "Hi" };
  expect(await bodyOf([])).toEqual(input);
  expect(await bodyOf(["--model", "local/b"])).toEqual(input);
  expect(await bodyOf(["-s", id, "--model", "local/b"])).toEqual(input);
  expect(await bodyOf(["--system", "a", "--system", "b"])).toEqual({ ...input, system: ["a", "b"] });
  expect(await bodyOf(["--system", "a", "--system-mode", "append"])).toEqual({
    ...input,
    system: ["a"],
    systemMode: "append",
  });
});

test("ask stops a turn that begins after the stop was requested", async () => {
  const stopped = new AbortController();
  stopped.abort();
  const cancelled = turn([start, { type: "turn-end", status: "cancelled" }]);

  const { exitCode, requests } = await run([], [cancelled, { stopped: true }], stopped);

  expect(exitCode).toBe(130);
  expect(requests.map(({ route }) => route)).toEqual([
    `POST /conversations/${id}/turns`,
    `POST /conversations/${id}/stop`,
  ]);
});

async function open(words: readonly string[], ...answers: readonly unknown[]): Promise<Omit<Asked, "exitCode">> {
  const { client, requests } = answeringHost(...answers);
  const { output, stdout, stderr } = recordOutput();
  expect(await openConversation(client, talkArguments(words), output)).toBe(id);
  return { stdout: stdout(), stderr: stderr(), requests };
}

function waiting(count: number): unknown {
  const positions = Array.from({ length: count }, (_, index) => index + 1);
  return { queue: positions.map((position) => ({ turnId: id, input: "before", position })) };
}

test("openConversation reports what happened to a conversation since its last turn", async () => {
  const found = { conversation };
  const follow = (end: TurnEventPart): Response => turn([end], { after: 3 });
  const cases: readonly (readonly [readonly unknown[], string])[] = [
    [[found, waiting(1)], "1 message waits here from before, and will be answered before yours\n"],
    [[found, waiting(2)], "2 messages wait here from before, and will be answered before yours\n"],
    [[found, waiting(0), follow(completed)], ""],
    [
      [found, waiting(0), follow({ type: "turn-end", status: "interrupted" })],
      `The last turn was cut off when the host ended. What is kept: incipit conversations history ${id}\n`,
    ],
    [[{ conversation: { ...conversation, lastSeq: 0 } }, waiting(0)], ""],
    [[{ conversation: { ...conversation, status: "running" } }, waiting(0)], ""],
  ];

  for (const [answers, stderr] of cases) expect(await open(["-s", id], ...answers)).toMatchObject({ stderr });
});

test("openConversation creates a conversation with the requested folder, model and profile", async () => {
  const answer = { conversation };

  const plain = await open(["--cwd", "/"], answer);
  const full = await open(["--cwd", "/", "--model", "local/b", "--profile", "p"], answer);

  expect(plain.requests).toEqual([{ route: "POST /conversations", body: { cwd: "/" } }]);
  expect(full.requests).toMatchObject([{ body: { cwd: "/", model: "local/b", profile: "p" } }]);
});

test("openConversation moves a conversation to the requested folder and reports that its prompt stays", async () => {
  const there = { ...conversation, lastSeq: 0 };
  const [found, idle] = [{ conversation: there }, waiting(0)];

  const moved = await open(["-s", id, "--cwd", "/"], found, { conversation: { ...there, cwd: "/" } }, idle);
  const asIs = await open(["-s", id], found, idle);
  const same = await open(["-s", id, "--cwd", "/"], { conversation: { ...there, cwd: "/" } }, idle);
  const missing = await open(["-s", id, "--cwd", "/no/such/folder"], found).catch((error: unknown) => error);

  expect(moved.requests[1]).toEqual({ route: `PATCH /conversations/${id}`, body: { cwd: "/" } });
  expect(moved.stderr).toBe(
    `It works in / from here on, no longer in /work. Its prompt stays as it was until the next\ncompaction; this builds it now: incipit conversations rebuild ${id}\n`,
  );
  for (const { requests, stderr } of [asIs, same]) {
    expect(requests.map(({ route }) => route.split(" ")[0])).toEqual(["GET", "GET"]);
    expect(stderr).toBe("");
  }
  expect(missing).toMatchObject({ name: "UsageError", message: expect.stringContaining("mkdir -p") });
});
