import {
  methods,
  RequestError,
  type AgentContext,
  type RequestPermissionRequest,
  type SessionUpdate,
  type StopReason,
} from "@agentclientprotocol/sdk/unstable";
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import type { AgentSessions } from "./agent-sessions.ts";

export interface AnsweredPrompt {
  readonly client: AgentContext;
  readonly sessionId: string;
  readonly sessions: AgentSessions;
  readonly cancelled: AbortSignal;
}

type Action = (rest: string, prompt: AnsweredPrompt) => Promise<StopReason | undefined> | Promise<void> | void;

let callCount = 0;

/** Line by line: `say Hello`, `tool edit {"path":"a"} => done`. A line without a known command is echoed. */
export async function act(text: string, prompt: AnsweredPrompt): Promise<StopReason> {
  for (const line of text.split("\n")) {
    const [, word = "", rest = ""] = /^(\S+)\s?(.*)$/.exec(line) ?? [];
    const action = actions.get(word);
    const reason = action === undefined ? await say(`You said: ${line}`, prompt) : await action(rest, prompt);
    if (typeof reason === "string") return reason;
    if (prompt.cancelled.aborted) return "cancelled";
  }
  return "end_turn";
}

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ["say", say],
  [
    "think",
    (text, prompt) => update({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text } }, prompt),
  ],
  [
    "plan",
    (text, prompt) =>
      update(
        {
          sessionUpdate: "plan",
          entries: text.split(";").map((content) => ({ content, priority: "medium", status: "pending" })),
        },
        prompt,
      ),
  ],
  ["tool", (text, prompt) => tool(text, "completed", prompt)],
  ["failing-tool", (text, prompt) => tool(text, "failed", prompt)],
  ["open-tool", (text, prompt) => tool(text, "in_progress", prompt)],
  ["ask", ask],
  ["read", (path, prompt) => attempt(prompt, methods.client.fs.readTextFile, { path })],
  ["write", (path, prompt) => attempt(prompt, methods.client.fs.writeTextFile, { path, content: "written" })],
  ["terminal", (command, prompt) => attempt(prompt, methods.client.terminal.create, { command })],
  ["remember", (_text, prompt) => say(JSON.stringify(prompt.sessions.get(prompt.sessionId)?.heard ?? []), prompt)],
  ["env", (name, prompt) => say(`${name}=${process.env[name] ?? "not set"}`, prompt)],
  ["folders", (_text, prompt) => say(`${process.cwd()} ${prompt.sessions.get(prompt.sessionId)?.cwd}`, prompt)],
  ["model", (_text, prompt) => say(`model=${prompt.sessions.get(prompt.sessionId)?.model ?? "none"}`, prompt)],
  ["foreign", (text, prompt) => say(text, { ...prompt, sessionId: "a session of somebody else" })],
  ["stop", async (reason) => stopReasons.get(reason)],
  ["error", (text) => refuse(text)],
  ["crash", (text) => crash(text)],
  ["garbage", (text) => void writeSync(1, `${text}\n`.repeat(3))],
  ["huge", (size) => print(`${JSON.stringify({ jsonrpc: "2.0", method: "x".repeat(Number(size)) })}\n`)],
  ["half", half],
  ["strange", strange],
  ["ask-unheard", (text, prompt) => void ask(text, prompt).catch(() => undefined)],
  ["flood", (count, prompt) => flood(Number(count), prompt)],
  ["flood-strangely", floodStrangely],
  ["child", (_text, prompt) => child(prompt)],
  ["hang", (_text, { cancelled }) => untilAborted(cancelled)],
  ["deaf", () => new Promise<never>(() => {})],
]);

const stopReasons: ReadonlyMap<string, StopReason> = new Map(
  (["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"] as const).map((name) => [name, name]),
);

async function say(text: string, prompt: AnsweredPrompt): Promise<undefined> {
  await update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }, prompt);
}

async function update(change: SessionUpdate, { client, sessionId }: AnsweredPrompt): Promise<void> {
  await client.notify(methods.client.session.update, { sessionId, update: change });
}

/** Parses `NAME INPUT => OUTPUT`. */
function parseTool(text: string): { readonly name: string; readonly rawInput: unknown; readonly output: string } {
  const [head = "", output = ""] = text.split(" => ");
  const [, name = "", input = ""] = /^(\S*)\s?(.*)$/.exec(head) ?? [];
  const rawInput: unknown = input === "" ? undefined : JSON.parse(input);
  return { name, rawInput, output };
}

async function tool(
  text: string,
  status: "completed" | "failed" | "in_progress",
  prompt: AnsweredPrompt,
): Promise<void> {
  const { name, rawInput, output } = parseTool(text);
  const toolCallId = `call-${(callCount += 1)}`;
  const title = `Use ${name}`;
  await update(
    { sessionUpdate: "tool_call", toolCallId, name, title, kind: "edit", status: "pending", rawInput },
    prompt,
  );
  const content = [{ type: "content" as const, content: { type: "text" as const, text: output } }];
  await update({ sessionUpdate: "tool_call_update", toolCallId, status, content }, prompt);
}

const optionKinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;

/** `NAME INPUT`, or `KIND,KIND: NAME INPUT` for other options than all four. */
async function ask(text: string, prompt: AnsweredPrompt): Promise<void> {
  const [, kinds = optionKinds.join(","), rest = ""] = /^(?:([a-z_,]+): )?(.*)$/.exec(text) ?? [];
  const { name, rawInput } = parseTool(rest);
  const toolCallId = `call-${(callCount += 1)}`;
  const diff = { type: "diff" as const, path: "/a.txt", oldText: "one\ntwo\n", newText: "one\n2\n" };
  const params: RequestPermissionRequest = {
    sessionId: prompt.sessionId,
    toolCall: {
      toolCallId,
      title: `May I use ${name}?`,
      rawInput,
      content: [diff],
      ...(name === "" ? {} : { name }),
    },
    options: optionKinds
      .filter((kind) => kinds.split(",").includes(kind))
      .map((kind) => ({ optionId: `option ${kind}`, name: kind, kind })),
  };
  const { outcome } = await prompt.client.request(methods.client.session.requestPermission, params);
  await say(`outcome: ${outcome.outcome === "selected" ? outcome.optionId : outcome.outcome}`, prompt);
}

async function attempt(prompt: AnsweredPrompt, method: string, params: object): Promise<void> {
  const { client, sessionId } = prompt;
  try {
    await say(`allowed: ${JSON.stringify(await client.request(method, { sessionId, ...params }))}`, prompt);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    await say(`refused: ${error.code}`, prompt);
  }
}

function refuse(text: string): never {
  const [code = "", ...words] = text.split(" ");
  throw new RequestError(Number(code), words.join(" "));
}

function crash(text: string): never {
  writeSync(2, `${text}\n`);
  process.exit(7);
}

async function print(text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

function half(): never {
  writeSync(1, '{"jsonrpc":"2.0","method":"session/upd');
  process.exit(0);
}

async function strange(_text: string, { client, sessionId }: AnsweredPrompt): Promise<void> {
  const updates: readonly unknown[] = [
    { sessionUpdate: "mood", mood: "cheerful" },
    { sessionUpdate: "agent_message_chunk", content: null },
    { sessionUpdate: "agent_message_chunk", content: { type: "hologram", data: "1" } },
    { sessionUpdate: "tool_call", toolCallId: 7 },
    { sessionUpdate: "plan", entries: "none" },
    [],
    null,
  ];
  for (const change of updates) await client.notify(methods.client.session.update, { sessionId, update: change });
  await client.notify(methods.client.session.update, "no update");
  await client.notify("_acme/mood", { mood: "cheerful" });
}

async function floodStrangely(_text: string, { cancelled, sessionId }: AnsweredPrompt): Promise<void> {
  const change = { sessionUpdate: "mood" };
  const line = `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: change } })}\n`;
  while (!cancelled.aborted) await print(line.repeat(1_000));
}

async function flood(count: number, prompt: AnsweredPrompt): Promise<void> {
  const { sessionId } = prompt;
  const change = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } };
  const line = `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: change } })}\n`;
  for (let left = count; left > 0 && !prompt.cancelled.aborted; left -= 100)
    await print(line.repeat(Math.min(left, 100)));
}

/** Starts a child process, which outlives the agent unless the host ends it. */
async function child(prompt: AnsweredPrompt): Promise<void> {
  const { pid } = spawn("sleep", ["600"], { stdio: "ignore" });
  await say(`child ${pid} of ${process.pid}`, prompt);
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
