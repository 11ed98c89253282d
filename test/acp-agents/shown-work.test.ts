import type { TurnEvent } from "@incipit/schema";
import { createClient, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createAgentWorld, textOf } from "./agent-world.ts";

test("what an agent does with its own tools is shown as tool calls with what they gave, and kept", async () => {
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
  "what an agent asks is asked as an approval, and it is told $0 as one of its own options",
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
