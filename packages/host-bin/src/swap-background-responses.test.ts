import { clientConversationSchema, responseSchema, routes, type ResponseObject } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { HostWorld, until } from "./testing/host-world.ts";

async function ask({ host }: HostWorld, path: string, body?: object): Promise<Response> {
  return fetch(`${host.url}/v1/responses${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${host.token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function response(world: HostWorld, path: string, body?: object): Promise<ResponseObject> {
  return responseSchema.parse(await (await ask(world, path, body)).json());
}

for (const id of ["session-orchestrator", "transport-http", "provider-openai"]) {
  test(`[swap-loses-nothing] background responses can be read, followed and cancelled during a swap of ${id}`, async () => {
    await using world = await HostWorld.start();
    world.model.enqueue({ kind: "text", chunks: ["One, ", "two, ", "three."], gate: true }, { kind: "never" });
    const input = { input: "Count", background: true };
    const counting = await response(world, "", input);
    const silent = await response(world, "", input);
    await world.model.waitForRequests(2);

    const swapped = world.client.call(routes.swapExtension, { params: { id }, body: {} });
    await until(() => world.health(id).phase === "active" && world.health(id).generation > 1);
    const running = await response(world, `/${counting.id}`);
    const followed = (await ask(world, `/${counting.id}?stream=true&starting_after=1`)).text();
    const cancelled = await response(world, `/${silent.id}/cancel`, {});
    for (let count = 0; count < 10; count += 1) world.model.release();
    const report = await swapped;

    expect(report).toMatchObject({ outcome: "swapped", cut: 0 });
    expect(running.status).toBe("in_progress");
    expect(cancelled.status).toBe("cancelled");
    const text = await followed;
    expect(text).toStartWith(": keep open\n\nevent: response.in_progress\n");
    expect(text.match(/^event: response\.completed$/gm)).toHaveLength(1);
    expect(await response(world, `/${counting.id}`)).toMatchObject({
      status: "completed",
      output: [{ content: [{ text: "One, two, three." }] }],
    });
    expect(world.errors()).toEqual([]);
  });
}

for (const id of ["session-orchestrator", "transport-http"]) {
  test(`[swap-loses-nothing] a background response that outlasts the swap of ${id} fails with a reason`, async () => {
    await using world = await HostWorld.start({ timeouts: { drainTimeoutMs: 20, graceMs: 200 } });
    world.model.enqueue({ kind: "text", chunks: ["Half", " a reply"], gate: true });
    const begun = await response(world, "", { input: "Count", background: true });
    await world.model.waitFor(({ waitingChunks }) => waitingChunks === 1);

    await world.client.call(routes.swapExtension, { params: { id }, body: {} });
    const text = await (await ask(world, `/${begun.id}?stream=true`)).text();

    expect(text.match(/^event: response\.(completed|incomplete|failed)$/gm)).toEqual(["event: response.failed"]);
    expect(await response(world, `/${begun.id}`)).toMatchObject({
      status: "failed",
      error: { code: "interrupted", message: expect.stringContaining("stopped before the response was complete") },
    });
  });
}

test("[swap-loses-nothing] a client's conversation stays locked until the old generation's write has ended", async () => {
  await using world = await HostWorld.start();
  const headers = { authorization: `Bearer ${world.host.token}` };
  const url = `${world.host.url}/v1/conversations`;
  const conversation = clientConversationSchema.parse(await (await fetch(url, { method: "POST", headers })).json());
  world.model.enqueue({ kind: "text", chunks: ["One, ", "two."], gate: true });
  const input = { input: "Count", background: true, conversation: conversation.id };
  const begun = await response(world, "", input);
  await world.model.waitForRequests(1);

  const swapped = world.client.call(routes.swapExtension, { params: { id: "transport-http" }, body: {} });
  await until(
    () => world.health("transport-http").generation > 1 && world.health("transport-http").phase === "active",
  );
  const refused = await ask(world, "", input);
  world.model.releaseAll();
  await swapped;
  const next = await response(world, "", { ...input, background: false });

  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("conversation_locked")]);
  expect(await response(world, `/${begun.id}`)).toMatchObject({ status: "completed" });
  expect(next).toMatchObject({ status: "completed", conversation: { id: conversation.id } });
  expect(world.model.requests[1]?.body).toContain("One, two.");
});
