import { expect } from "bun:test";
import type { AgentWorld } from "./agent-world.ts";

const methodNotFound = -32_601;
const unknownSession = "no-session-has-this-id";

function loadOf(world: AgentWorld, sessionId: string): object {
  return { sessionId, cwd: world.agent.cwd, mcpServers: [] };
}

function speakersOf(world: AgentWorld, sessionId: string): readonly string[] {
  return world
    .updates()
    .filter((one) => one.sessionId === sessionId)
    .flatMap(({ update }) => /^(user|agent)_message_chunk$/.exec(update.sessionUpdate)?.[1] ?? [])
    .filter((speaker, index, all) => speaker !== all[index - 1]);
}

/** Requirements of protocol version 1: https://agentclientprotocol.com/protocol/v1/overview */
export const agentPromises = {
  "initialize answers with the version that both speak, or with the agent's own": async (world) => {
    expect(await world.initialize(1)).toMatchObject({ protocolVersion: 1 });
    const { protocolVersion } = await world.initialize(60_000);
    expect(protocolVersion).toBeGreaterThanOrEqual(1);
    expect(protocolVersion).toBeLessThan(60_000);
  },
  "stdout has messages of the protocol, and nothing else": async (world) => {
    await world.initialize();
    await world.prompt(await world.newSession(), "Hello");
    expect(world.noise).toEqual([]);
  },
  "an unknown method is refused as such, and an unknown notification is answered by nothing": async (world) => {
    await world.initialize();
    await world.notify("no/such_notification", {});
    const before = world.messages.length;
    const { error } = await world.request("no/such_method", {});
    expect(error?.code).toBe(methodNotFound);
    expect(world.messages.slice(before).filter(({ id }) => id === null)).toEqual([]);
  },
  "each request is answered once, under its own id, whatever that is": async (world) => {
    await world.initialize();
    const ids = ["a", 0, 77, "0"];
    for (const id of ids) await world.write({ jsonrpc: "2.0", id, method: "no/such_method", params: {} });
    await world.request("no/such_method", {});
    await world.until("all answers", () => ids.every((id) => world.answersTo(id).length > 0));
    expect(ids.map((id) => world.answersTo(id).length)).toEqual([1, 1, 1, 1]);
  },
  "a line that is no message, and a message in pieces, do not keep it from the next": async (world) => {
    await world.initialize();
    await world.writeText('What?\n{"jsonrpc":"2.0","id":\n[1]\n');
    const [first, ...rest] = JSON.stringify({ jsonrpc: "2.0", id: "pieces", method: "no/such_method", params: {} });
    await world.writeText(first ?? "");
    await world.writeText(rest.join(""));
    await world.writeText("\n");
    await world.until("an answer", () => world.answersTo("pieces").length > 0);
    expect(world.answersTo("pieces")).toMatchObject([{ error: { code: methodNotFound } }]);
  },
  "each session has an id of its own, and what is said in one is told of that one": async (world) => {
    await world.initialize();
    const [one, other] = [await world.newSession(), await world.newSession()];
    expect(one).not.toBe(other);
    await world.prompt(other, "Hello");
    expect(world.said(other, "agent_message_chunk")).not.toBe("");
    expect(world.said(one, "agent_message_chunk")).toBe("");
  },
  "a prompt is answered with why it ended, behind all that it said": async (world) => {
    await world.initialize();
    const sessionId = await world.newSession();
    const id = world.freeId();
    const { result } = await world.request(
      "session/prompt",
      { sessionId, prompt: [{ type: "text", text: "Hello" }] },
      id,
    );
    expect(result).toMatchObject({ stopReason: "end_turn" });
    const at = world.messages.findIndex((message) => message.id === id && message.method === undefined);
    const isChunk = ({ params }: (typeof world.messages)[number]): boolean =>
      JSON.stringify(params ?? null).includes('"agent_message_chunk"');
    expect(world.messages.slice(0, at).some(isChunk)).toBe(true);
    expect(world.messages.slice(at).some(isChunk)).toBe(false);
  },
  "a prompt of a session that there is not is refused": async (world) => {
    await world.initialize();
    const { error } = await world.prompt(unknownSession, "Hello");
    expect(error?.message).toBeString();
  },
  "session/cancel ends the prompt as cancelled, once": async (world) => {
    await world.initialize();
    const sessionId = await world.newSession();
    world.agent.hold();
    const id = world.freeId();
    const asked = world.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "Wait" }] }, id);
    await world.held();
    await world.notify("session/cancel", { sessionId });
    expect((await asked).result).toMatchObject({ stopReason: "cancelled" });
    expect(world.answersTo(id)).toHaveLength(1);
  },
  "session/cancel where nothing runs changes nothing": async (world) => {
    await world.initialize();
    const sessionId = await world.newSession();
    await world.notify("session/cancel", { sessionId });
    expect((await world.prompt(sessionId, "Hello")).result).toMatchObject({ stopReason: "end_turn" });
  },
  "session/load, where it is offered, tells what was said, in its order": async (world) => {
    const { agentCapabilities } = await world.initialize();
    expect(agentCapabilities?.loadSession).toBe(true); // Otherwise it is listed in `doesNotOffer`.
    const sessionId = await world.newSession();
    await world.prompt(sessionId, "The first thing");
    await world.prompt(sessionId, "The second thing");
    const told = world.said(sessionId, "agent_message_chunk");
    await using again = world.again();
    await again.initialize();
    const { error } = await again.request("session/load", loadOf(world, sessionId));
    expect(error).toBeUndefined();
    expect(again.said(sessionId, "agent_message_chunk")).toBe(told);
    const user = again.said(sessionId, "user_message_chunk");
    expect(user).toContain("The first thing");
    expect(user.indexOf("The second thing")).toBeGreaterThan(user.indexOf("The first thing"));
    expect(speakersOf(again, sessionId)).toEqual(["user", "agent", "user", "agent"]);
  },
  "session/load, where it is offered, is answered behind all that it tells": async (world) => {
    await world.initialize();
    const sessionId = await world.newSession();
    await world.prompt(sessionId, "The first thing");
    await using again = world.again();
    await again.initialize();
    const id = again.freeId();
    await again.request("session/load", loadOf(world, sessionId), id);
    const told = again.said(sessionId, "user_message_chunk");
    await again.prompt(sessionId, "The second thing");
    expect(told).toContain("The first thing");
    const at = again.messages.findIndex((message) => message.id === id && message.method === undefined);
    const late = again.messages.slice(at).map(({ params }) => JSON.stringify(params ?? null));
    expect(late.filter((text) => text.includes("The first thing"))).toEqual([]);
  },
  "what it offers is what is said of it": async (world) => {
    const { agentCapabilities } = await world.initialize();
    expect(agentCapabilities?.loadSession === true).toBe(!world.options.doesNotOffer.includes("loadSession"));
  },
  "a prompt that comes while one runs is answered or refused, once, and so is the one that runs": async (world) => {
    await world.initialize();
    const sessionId = await world.newSession();
    world.agent.hold();
    const ids = [world.freeId(), world.freeId()];
    const [first = 0, second = 0] = ids;
    for (const [id, text] of [[first, "Wait"] as const, [second, "Hello"] as const]) {
      const params = { sessionId, prompt: [{ type: "text", text }] };
      await world.write({ jsonrpc: "2.0", id, method: "session/prompt", params });
    }
    await world.held();
    await world.notify("session/cancel", { sessionId });
    await world.until("answers to both prompts", () => ids.every((id) => world.answersTo(id).length > 0));
    await world.request("no/such_method", {}); // A second answer would have arrived by then.
    expect(ids.map((id) => world.answersTo(id).length)).toEqual([1, 1]);
  },
  "an answer that nobody waits for is answered by nothing, and changes nothing": async (world) => {
    await world.initialize();
    const sessionId = await world.newSession();
    const id = "nobody-waits";
    for (const outcome of [{ result: {} }, { result: {} }, { error: { code: -32_000, message: "Late" } }])
      await world.write({ jsonrpc: "2.0", id, ...outcome });
    expect((await world.prompt(sessionId, "Hello")).result).toMatchObject({ stopReason: "end_turn" });
    expect(world.answersTo(id)).toEqual([]);
  },
  "a line of 50 MB is answered, and so is what comes behind it": async (world) => {
    await world.initialize();
    const params = { padding: "x".repeat(50_000_000) };
    const id = "long";
    await world.write({ jsonrpc: "2.0", id, method: "no/such_method", params });
    expect((await world.request("no/such_method", {})).error?.code).toBe(methodNotFound);
    // An agent that skips the rest of a line does not know the id.
    const answers = world.messages.filter((message) => message.id === id || message.id === null);
    expect(answers).toMatchObject([{ error: { code: expect.any(Number) } }]);
  },
  "a prompt of 1 MB is taken or refused, and the agent goes on": async (world) => {
    await world.initialize();
    const sessionId = await world.newSession();
    const answer = await world.prompt(sessionId, "long ".repeat(200_000));
    expect(answer.result !== undefined || answer.error !== undefined).toBe(true);
    expect((await world.request("no/such_method", {})).error?.code).toBe(methodNotFound);
  },
  "it ends with its input": async (world) => {
    await world.initialize();
    await world.newSession();
    await world.leave();
  },
} as const satisfies Record<string, (world: AgentWorld) => Promise<void>>;
