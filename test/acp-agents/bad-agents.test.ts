import type { TurnEvent } from "@incipit/schema";
import { createClient, routes } from "@incipit/transport-contract";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createAgentWorld, instructions, promptsOf, stepsOf, textOf, type AgentWorld } from "./agent-world.ts";

const agents = {
  helper: {},
  silent: { start: "silent" },
  leaving: { start: "exits" },
  half: { start: "half" },
  flooding: { start: "floods" },
  stranger: { start: "stranger" },
  future: { protocolVersion: 99 },
  chatty: { start: "garbage" },
  loading: { canLoad: true },
  deaf: {},
} as const;
type Name = keyof typeof agents;

const settings = { silent: "start_timeout_seconds = 1", deaf: "silence_timeout_seconds = 1" };

let world: AgentWorld;
beforeAll(async () => {
  world = await createAgentWorld({ agents, settings, config: 'system_prompt = "Be brief."' });
});
afterAll(() => world[Symbol.asyncDispose]());

async function begin(name: Name): Promise<string> {
  return (await world.host.createConversation({ model: `${name}/default` })).id;
}

function endOf(events: readonly TurnEvent[]): TurnEvent {
  const ends = events.filter(({ type }) => type === "turn-end");
  expect(ends).toHaveLength(1);
  const [end] = ends;
  if (end === undefined || end !== events.at(-1)) throw new Error("The turn's end is not its last event");
  return end;
}

async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return status !== "" && !/\) [ZX] /.test(status);
}

async function runningOf(name: Name): Promise<readonly number[]> {
  const pids = await world.agentNamed(name).processes();
  const running = await Promise.all(pids.map(isRunning));
  return pids.filter((_, index) => running[index] === true);
}

/** Graceful termination takes a few seconds. @throws when the process stays. */
async function gone(pid: number): Promise<void> {
  const deadline = AbortSignal.timeout(60_000);
  while (await isRunning(pid)) {
    if (deadline.aborted) throw new Error(`The process ${pid} still runs`);
    await Bun.file("/dev/null").exists(); // Only the parent, the host, can reap the process.
  }
}

describe("an agent that cannot communicate", () => {
  const again = "your next message starts it again";
  const look = "run its command at a terminal to see why";
  test.each([
    {
      does: "never answers initialize",
      name: "silent",
      code: "TIMEOUT",
      says: 'did not answer "initialize" within 1 s; see at a terminal whether its command starts an agent of this protocol, or raise [agents.silent] start_timeout_seconds',
    },
    {
      does: "ends at once",
      name: "leaving",
      code: "CUT_OFF",
      says: `(exit code 3): no model is configured; ${look}`,
    },
    { does: "ends in half a line", name: "half", code: "CUT_OFF", says: `ended (exit code 0); ${look}` },
    { does: "floods its output", name: "flooding", code: "CUT_OFF", says: `within 10 s; ${look}` },
    {
      does: "answers what is no answer",
      name: "stranger",
      code: "BAD_RESPONSE",
      says: "use another version of it",
    },
    {
      does: "speaks another version",
      name: "future",
      code: "BAD_RESPONSE",
      says: "use another version of the agent",
    },
    { does: "floods", input: "flood-strangely", name: "helper", code: "CUT_OFF", says: `within 10 s; ${again}` },
    {
      does: "sends 17 MB",
      input: "huge 17000000",
      name: "helper",
      code: "CUT_OFF",
      says: `16777216 bytes; ${again}`,
    },
    { does: "ends in half a line later", input: "half", name: "helper", code: "CUT_OFF", says: again },
    {
      does: "refuses",
      input: "error -32603 out of luck",
      name: "helper",
      code: "FAILED",
      says: "out of luck; send",
    },
    {
      does: "stops by itself",
      input: "stop cancelled",
      name: "helper",
      code: "CUT_OFF",
      says: "send your message again",
    },
  ] as const)(
    "an agent that $does ends the turn once with $code and exits",
    async ({ name, code, says, ...rest }) => {
      const before = await world.agentNamed(name).processes();
      const id = await begin(name);

      const end = endOf(await world.host.turn(id, { input: "input" in rest ? rest.input : "say Hi" }));

      expect(end).toMatchObject({ status: "failed", error: { code, message: expect.stringContaining(says) } });
      expect((await world.host.conversation(id)).status).toBe("idle");
      const started = (await world.agentNamed(name).processes()).filter((pid) => !before.includes(pid));
      expect(started).toHaveLength(1);
      if (code !== "FAILED" && says !== "send your message again") await Promise.all(started.map(gone));
    },
  );
});

test("an agent that floods the output is throttled, and the host's memory stays bounded", async () => {
  const id = await begin("helper");
  const sizeOf = async (): Promise<number> =>
    Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${world.host.pid}/status`, "utf8"))?.[1]) * 1_024;
  const beforeBytes = await sizeOf();

  const end = endOf(await world.host.turn(id, { input: "flood 200000" }));

  expect(end).toMatchObject({ status: "failed", error: { code: "CUT_OFF" } });
  expect((await sizeOf()) - beforeBytes).toBeLessThan(300 * 1_048_576);
});

test.each([
  { what: "lines that are no messages", input: 'garbage {"jsonrpc":"2.0","met\nsay on', text: "on" },
  { what: "updates that nobody knows, and broken ones", input: "strange\nsay on", text: "[hologram]\non" },
  { what: "what belongs to another session", input: "foreign from elsewhere\nsay on", text: "on" },
])("an agent that sends $what is otherwise processed", async ({ input, text }) => {
  const events = await world.host.turn(await begin("helper"), { input });

  expect(endOf(events)).toMatchObject({ status: "completed" });
  expect(textOf(events)).toBe(text);
});

test.each([
  { reason: "max_tokens", end: { status: "completed", cutReason: "length" } },
  { reason: "refusal", end: { status: "completed", cutReason: "content-filter" } },
  {
    reason: "max_turn_requests",
    end: {
      status: "failed",
      error: { code: "MAX_STEPS", message: expect.stringContaining("its own limit of model calls") },
    },
  },
])("an agent that ends by $reason keeps its output, and the turn has the reason", async ({ reason, end }) => {
  const id = await begin("helper");
  const events = await world.host.turn(id, { input: `say half\nstop ${reason}` });
  const next = await world.host.turn(id, { input: "remember" });

  expect(endOf(events)).toMatchObject(end);
  expect(textOf(events)).toBe("half");
  expect(endOf(next)).toMatchObject({ status: "completed" });
  expect(textOf(next)).toContain(`stop ${reason}`);
});

test("an agent that prints other lines before its response is understood", async () => {
  const events = await world.host.turn(await begin("chatty"), { input: "say on" });

  expect(endOf(events)).toMatchObject({ status: "completed" });
  expect(textOf(events)).toBe("on");
});

test("an agent is refused the host's files and terminals, inside and outside of the folder", async () => {
  await Bun.write(join(world.cwd, "inside.txt"), "inside");
  const written = join(world.cwd, "../written.txt");
  const lines = [`read ${world.cwd}/inside.txt`, "read /etc/passwd", `write ${written}`, "terminal ls"];

  const events = await world.host.turn(await begin("helper"), { input: lines.join("\n") });

  expect(endOf(events)).toMatchObject({ status: "completed" });
  expect(textOf(events)).toBe("refused: -32601".repeat(4));
  expect(existsSync(written)).toBe(false);
});

test("an agent that exits withdraws its open question, and the turn ends once", async () => {
  const id = await begin("helper");
  const client = createClient({ url: world.host.url, token: world.host.token });
  const events: TurnEvent[] = [];
  const answers: unknown[] = [];
  for await (const event of client.sendTurn(id, { input: "ask edit {}\nsay on" })) {
    events.push(event);
    if (event.type !== "approval-request") continue;
    const pid = (await world.agentNamed("helper").processes()).at(-1) ?? 0;
    process.kill(pid, "SIGKILL");
  }
  for (const event of events)
    if (event.type === "approval-request") {
      const params = { id, approvalId: event.approvalId };
      answers.push(
        await client
          .call(routes.answerApproval, { params, body: { decision: "allow" } })
          .catch((error: unknown) => error),
      );
    }

  expect(endOf(events)).toMatchObject({ status: "failed", error: { code: "CUT_OFF" } });
  expect(events.filter(({ type }) => type === "approval-end")).toHaveLength(1);
  expect(answers).toMatchObject([{ code: "APPROVAL_ENDED" }]);
  expect(await world.host.conversation(id)).toMatchObject({ status: "idle", approvals: [] });
});

test("an agent that does not wait for its answer leaves no question open", async () => {
  const id = await begin("helper");

  const events = await world.host.turn(id, { input: "ask-unheard edit {}\nsay on" });

  expect(endOf(events)).toMatchObject({ status: "completed" });
  const asked = events.filter(({ type }) => type === "approval-request");
  expect(events.filter(({ type }) => type === "approval-end")).toHaveLength(asked.length);
  expect(await world.host.conversation(id)).toMatchObject({ status: "idle", approvals: [] });
});

describe("an agent that crashes during a turn", () => {
  test("keeps its output, and a loadable session continues in context", async () => {
    const id = await begin("loading");

    const events = await world.host.turn(id, { input: "say One\ncrash out of memory" });
    const next = await world.host.turn(id, { input: "say Two" });

    const message = 'The agent "loading" ended (exit code 7): out of memory; your next message starts it again';
    expect(endOf(events)).toMatchObject({ status: "failed", error: { code: "CUT_OFF", message } });
    expect(textOf(events)).toBe("One");
    expect(endOf(next)).toMatchObject({ status: "completed" });
    const agent = world.agentNamed("loading");
    const sent = (await agent.messages()).map(({ method }) => method);
    expect(sent.filter((method) => method === "session/new" || method === "session/load")).toEqual([
      "session/new",
      "session/load",
    ]);
    const [first, second] = await promptsOf(agent);
    expect(first?.texts).toEqual([instructions("Be brief."), "say One\ncrash out of memory"]);
    expect(second?.sessionId).toBe(first?.sessionId);
    expect(second?.texts).toHaveLength(2);
    expect(second?.texts[0]).toMatch(/^<conversation-history>\n\nYour last turn [^]*crash out of memory/);
    expect(second?.texts[1]).toBe("say Two");
    expect((await stepsOf(world.host, id)).map(({ instructions: told }) => told)).toEqual([
      { by: "block", told: "now" },
      { by: "block", told: "before" },
    ]);
  });

  test("that cannot load sessions receives its instructions again with the history", async () => {
    const id = await begin("helper");
    const agent = world.agentNamed("helper");
    await world.host.turn(id, { input: "say One\ncrash" });

    const events = await world.host.turn(id, { input: "say Two" });

    expect(textOf(events)).toBe("Two");
    const told = (await promptsOf(agent)).at(-1)?.texts;
    expect(told?.[0]).toBe(instructions("Be brief."));
    expect(told?.[1]).toStartWith("<conversation-history>");
    expect(told?.slice(2)).toEqual(["say Two"]);
  });
});

describe("an agent that does not stop", () => {
  const childOf = (events: readonly TurnEvent[]): number => Number(/^child (\d+)/.exec(textOf(events))?.[1]);

  test("is terminated with its children after silence or a stop, ending each turn once", async () => {
    const [silent, stopped] = await Promise.all([begin("deaf"), begin("helper")]);
    const client = createClient({ url: world.host.url, token: world.host.token });
    const heard: TurnEvent[] = [];
    const stop = async (): Promise<void> => {
      for await (const event of client.sendTurn(stopped, { input: "child\ndeaf" })) {
        heard.push(event);
        if (event.type === "text-delta") await client.call(routes.stopConversation, { params: { id: stopped } });
      }
    };

    const [events] = await Promise.all([world.host.turn(silent, { input: "child\ndeaf" }), stop()]);

    const message =
      'The agent "deaf" sent nothing for 1 s and was stopped; [agents.deaf] silence_timeout_seconds sets the limit';
    expect(endOf(events)).toMatchObject({ status: "failed", error: { code: "TIMEOUT", message } });
    expect(endOf(heard)).toMatchObject({ status: "cancelled" });
    await Promise.all([childOf(events), childOf(heard)].map(gone));
    expect(await runningOf("deaf")).toEqual([]);
  });
});

test.each([true, "append", ["append"], 7, { mode: "override" }, { mode: [{}] }].map((claimed) => ({ claimed })))(
  "an agent that claims a system prompt as $claimed receives it once, readably",
  async ({ claimed }) => {
    await using other = await createAgentWorld({
      agents: { odd: { claimedSystemPrompt: claimed } },
      config: 'system_prompt = "Be brief."',
    });
    const { id } = await other.host.createConversation();

    await other.host.turn(id, { input: "say One" });

    const [prompt] = await promptsOf(other.agent);
    const isField = typeof claimed === "object" && !Array.isArray(claimed);
    expect(prompt?.texts).toEqual(isField ? ["say One"] : [instructions("Be brief."), "say One"]);
    const begun = (await other.agent.messages()).find(({ method }) => method === "session/new")?.params;
    const field = { mode: "append", content: [{ type: "text", text: "Be brief." }] };
    expect(begun).toEqual({ cwd: expect.any(String), mcpServers: [], ...(isField ? { systemPrompt: field } : {}) });
    expect((await stepsOf(other.host, id))[0]?.instructions).toEqual({
      by: isField ? "system-prompt" : "block",
      told: "now",
    });
  },
);
