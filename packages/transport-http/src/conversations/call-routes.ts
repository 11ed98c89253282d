import type { Handlers } from "../request/route-call.ts";
import { need, type Services } from "../context/services.ts";

export function callHandlers(services: Services) {
  const calls = () => need(services.calls, "session orchestrator");
  return {
    listCalls: async (call) => {
      const { items, ...rest } = await calls().list(call.query());
      return call.answer({ calls: items, ...rest });
    },
    getCall: async (call) => call.answer({ call: await calls().get(call.param("id")) }),
    getCallRequest: async (call) => call.answer(await calls().request(call.param("id"))),
    getCallParts: async (call) => call.answer({ parts: [...(await calls().parts(call.param("id")))] }),
    explainCall: async (call) => call.answer(await calls().explain(call.param("id"))),
  } satisfies Partial<Handlers>;
}
