import { agent, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";
import { Writable } from "node:stream";

// The smallest agent of the official SDK, following its README. Answers "Wait" when cancelled.
const sessions = new Map<string, AbortController | undefined>();

agent({ name: "smallest" })
  .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1, agentCapabilities: { loadSession: false } }))
  .onRequest(methods.agent.session.new, () => {
    const sessionId = `session-${sessions.size + 1}`;
    sessions.set(sessionId, undefined);
    return { sessionId };
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => sessions.get(params.sessionId)?.abort())
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    if (!sessions.has(sessionId)) throw RequestError.invalidParams({ sessionId }, "there is no such session");
    if (sessions.get(sessionId) !== undefined) throw RequestError.invalidRequest({ sessionId }, "a prompt runs");
    if (prompt.some((block) => block.type === "text" && block.text === "Wait")) {
      const cancelled = new AbortController();
      sessions.set(sessionId, cancelled);
      await new Promise<void>((resolve) => {
        cancelled.signal.addEventListener("abort", () => resolve(), { once: true });
      });
      sessions.set(sessionId, undefined);
      return { stopReason: "cancelled" };
    }
    const content = { type: "text", text: "Heard" } as const;
    await client.notify(methods.client.session.update, {
      sessionId,
      update: { sessionUpdate: "agent_message_chunk", content },
    });
    return { stopReason: "end_turn" };
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Bun.stdin.stream()));
