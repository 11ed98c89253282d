import type { UnattendedService } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { need, type Services } from "../context/services.ts";
import type { Handlers } from "../request/handler.ts";
import { check } from "../request/read-body.ts";

export function unattendedHandlers({ unattended }: Services): Handlers<"getUnattended"> {
  const service = (): UnattendedService => need(unattended, "budget of autonomous runs");
  return {
    getUnattended: async (context) => {
      const page = check(routes.getUnattended.query, context.req.query());
      const [state, { items, ...rest }] = await Promise.all([service().get(), service().costs(page)]);
      return answer(routes.getUnattended, { unattended: state, costs: items, ...rest });
    },
  };
}
