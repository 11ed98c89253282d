import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { HostWorld, until } from "./testing/host-world.ts";

function complete({ host }: HostWorld, body: object): Promise<Response> {
  return fetch(`${host.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${host.token}` },
    body: JSON.stringify({ prompt: "Count", ...body }),
  });
}

for (const id of ["session-orchestrator", "transport-http", "system-prompt", "provider-openai"]) {
  test(`[swap-loses-nothing] a streamed completion survives a swap of ${id}, and its record is complete`, async () => {
    await using world = await HostWorld.start();
    world.model.enqueue({ kind: "text", chunks: ["One, ", "two, ", "three."], gate: true });
    const streamed = await complete(world, { stream: true });
    const body = streamed.text();

    const swapped = world.client.call(routes.swapExtension, { params: { id }, body: {} });
    await until(() => world.health(id).phase === "active" && world.health(id).generation > 1);
    const next = await complete(world, {});
    for (let count = 0; count < 10; count += 1) world.model.release();
    const report = await swapped;

    expect(report).toMatchObject({ outcome: "swapped", cut: 0 });
    const text = await body;
    for (const said of ["One, ", "two, ", "three.", "data: [DONE]"]) expect(text).toContain(said);
    expect(await next.json()).toMatchObject({ choices: [{ message: { content: "Reply 2" } }] });
    const { calls } = await world.client.call(routes.listCalls, { query: {} });
    expect(calls.map(({ status }) => status)).toEqual(["completed", "completed"]);
    expect(world.errors()).toEqual([]);
  });
}
