import { stepRequestResponseSchema } from "@incipit/schema";
import { modelCallsResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createChatWorld } from "./chat-world.ts";
import { HostProcess } from "../support/host-process.ts";

test("[never-lost] a completion cut off by SIGKILL is interrupted at the next start and recorded", async () => {
  await using world = await createChatWorld();
  world.model.enqueue({ kind: "text", chunks: ["One, ", "two."], gate: true });
  const streamed = await world.host.fetch("/v1/chat/completions", { body: { prompt: "Count", stream: true } });
  const reader = streamed.body?.getReader();
  await reader?.read();

  await world.host.kill("SIGKILL");
  await using restarted = await HostProcess.start(world.options);

  const { calls } = modelCallsResponseSchema.parse(await restarted.json("/calls"));
  expect(calls).toMatchObject([{ status: "interrupted", attempts: 1, endedAt: expect.any(String) }]);
  expect<string | null>(calls[0]?.id ?? "none").toBe(streamed.headers.get("x-incipit-call-id"));
  const request = stepRequestResponseSchema.parse(await restarted.json(`/calls/${calls[0]?.id}/request`));
  expect(request.body).toBe(world.lastRequest());
});
