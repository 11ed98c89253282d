import type { ModelCallsService } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { param, type Handlers } from "../request/handler.ts";
import { check } from "../request/read-body.ts";
import { need, type Services } from "../context/services.ts";

type CallRoute = "listCalls" | "getCall" | "getCallRequest" | "getCallParts" | "explainCall";

export function callHandlers(services: Services): Handlers<CallRoute> {
  const calls = (): ModelCallsService => need(services.calls, "session orchestrator");
  return {
    listCalls: async (context) => {
      const page = check(routes.listCalls.query, context.req.query());
      const { items, ...rest } = await calls().list(page);
      return answer(routes.listCalls, { calls: items, ...rest });
    },
    getCall: async (context) => answer(routes.getCall, { call: await calls().get(param(context, "id")) }),
    getCallRequest: async (context) => answer(routes.getCallRequest, await calls().request(param(context, "id"))),
    getCallParts: async (context) =>
      answer(routes.getCallParts, { parts: [...(await calls().parts(param(context, "id")))] }),
    explainCall: async (context) => answer(routes.explainCall, await calls().explain(param(context, "id"))),
  };
}
