import type { StepRecordsService } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { conversationId, param, type Handlers } from "../request/handler.ts";
import { readBody } from "../request/read-body.ts";
import { need, type Services } from "../context/services.ts";

type RecordRoute = "findStep" | "getStepRecord" | "replayStep" | "listReplays";

export function recordHandlers(services: Services): Handlers<RecordRoute> {
  const records = (): StepRecordsService => need(services.stepRecords, "session orchestrator");
  return {
    findStep: async (context) => answer(routes.findStep, await records().find(param(context, "stepId"))),
    getStepRecord: async (context) =>
      answer(routes.getStepRecord, await records().get(conversationId(context), param(context, "stepId"))),
    replayStep: async (context, late) => {
      const id = conversationId(context);
      const { model } = await readBody(context.req.raw, routes.replayStep.body, {
        clock: services.clock,
        signal: late,
      });
      // A replay is useless after a disconnect.
      const signal = AbortSignal.any([context.req.raw.signal, late]);
      const replay = await records().replay(id, param(context, "stepId"), { model, signal });
      return answer(routes.replayStep, { replay });
    },
    listReplays: async (context) => {
      const replays = await records().replays(conversationId(context), param(context, "stepId"));
      return answer(routes.listReplays, { replays: [...replays] });
    },
  };
}
