import type { Handlers } from "../request/route-call.ts";
import { need, type Services } from "../context/services.ts";

export function recordHandlers(services: Services) {
  const records = () => need(services.stepRecords, "session orchestrator");
  return {
    findStep: async (call) => call.answer(await records().find(call.param("stepId"))),
    getStepRecord: async (call) => call.answer(await records().get(call.conversationId(), call.param("stepId"))),
    replayStep: async (call) => {
      const id = call.conversationId();
      const { model } = await call.body();
      // A replay is useless after a disconnect.
      const signal = call.signal;
      const replay = await records().replay(id, call.param("stepId"), { model, signal });
      return call.answer({ replay });
    },
    listReplays: async (call) => {
      const replays = await records().replays(call.conversationId(), call.param("stepId"));
      return call.answer({ replays: [...replays] });
    },
  } satisfies Partial<Handlers>;
}
