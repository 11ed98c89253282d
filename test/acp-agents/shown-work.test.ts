import type { TurnEvent } from "@incipit/schema";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createAgentWorld, textOf } from "./agent-world.ts";

test("an agent's own tool work is shown and stored as tool calls with results", async () => {
  await using world = await createAgentWorld();
  const { id } = await world.host.createConversation();

  const events = await world.host.turn(id, {
    input: 'think Hm\ntool edit {"path":"a"} => done\nfailing-tool run => broken\nopen-tool look {}\nsay Ready',
  });

  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(events.filter(({ type }) => type === "tool-call-end")).toMatchObject([
    { name: "edit", input: '{"path":"a"}', output: "done" },
    { name: "run", input: '{"title":"Use run"}', error: { code: "TOOL_FAILED", message: "broken" } },
    {
      name: "look",
      input: "{}",
      error: { code: "TOOL_FAILED", message: "The agent ended its answer before this call had ended" },
    },
  ]);
  expect(textOf(events)).toBe("Ready");
});

test.each(["allow", "allow-always", "deny"] as const)(
  "an agent's question is an approval, and it receives $0 as one of its options",
  async (decision) => {
    await using world = await createAgentWorld();
    const { id } = await world.host.createConversation();
    const client = createClient({ url: world.host.url, token: world.host.token });
    const events: TurnEvent[] = [];

    for await (const event of client.sendTurn(id, { input: 'ask edit {"path":"a"}' })) {
      events.push(event);
      if (event.type !== "approval-request") continue;
      const params = { id, approvalId: event.approvalId };
      await client.call(routes.answerApproval, { params, body: { decision } });
    }

    expect(events.find(({ type }) => type === "approval-request")).toMatchObject({
      name: "edit",
      input: '{"path":"a"}',
    });
    expect(textOf(events)).toBe(`outcome: option ${decision === "deny" ? "reject_once" : "allow_once"}`);
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  },
);
