import { defineExtension } from "@incipit/kernel";
import { replaySchema, type Replay } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { stepRecordsHandle, type StepRecordsService } from "@incipit/service-contract";
import { expect, test } from "bun:test";
import { startApi } from "../testing/start-api.ts";
import { turnId, unknownId } from "../testing/fake-conversations.ts";

const unused = (): never => {
  throw new Error("The test does not use it");
};
const answered = {
  model: "offline/echo",
  parts: [],
  usage: null,
  finishReason: null,
  error: null,
  durationMs: null,
  costUsd: null,
};
const replay: Replay = replaySchema.parse({
  id: turnId,
  conversationId: unknownId,
  stepId: turnId,
  createdAt: "2026-01-01T00:00:00.000Z",
  original: answered,
  replay: null,
  callId: null,
  notes: [],
});

test("replays of a step are created and listed", async () => {
  const calls: unknown[] = [];
  const service: StepRecordsService = {
    find: unused,
    get: unused,
    replay: async (id, stepId, { model }) => {
      calls.push([id, stepId, model]);
      return replay;
    },
    replays: async (id, stepId) => {
      calls.push([id, stepId]);
      return [replay, replay];
    },
  };
  const records = defineExtension(
    { id: "acme.records", version: "1.0.0", api: "^1", provides: ["step-records@1"] },
    (host) => host.provideService(stepRecordsHandle, service),
  );
  await using api = await startApi({ extensions: [records] });
  const params = { id: unknownId, stepId: turnId };

  expect(await api.client.call(routes.replayStep, { params, body: { model: "a/b" } })).toEqual({ replay });
  expect(await api.client.call(routes.listReplays, { params })).toEqual({ replays: [replay, replay] });

  expect(calls).toEqual([
    [unknownId, turnId, "a/b"],
    [unknownId, turnId],
  ]);
});
