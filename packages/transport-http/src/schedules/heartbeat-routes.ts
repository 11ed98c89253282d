import type { HeartbeatService } from "@incipit/service-contract";
import { routes } from "@incipit/transport-contract";
import { answer } from "../answer/answer.ts";
import { need, type Services } from "../context/services.ts";
import type { Handlers } from "../request/handler.ts";
import { check } from "../request/read-body.ts";

type HeartbeatRoute = "getHeartbeat" | "listHeartbeatWakes" | "wakeHeartbeat";

export function heartbeatHandlers({ heartbeat }: Services): Handlers<HeartbeatRoute> {
  const service = (): HeartbeatService => need(heartbeat, "heartbeat");
  return {
    getHeartbeat: async () => answer(routes.getHeartbeat, { heartbeat: await service().get() }),
    listHeartbeatWakes: async (context) => {
      const page = check(routes.listHeartbeatWakes.query, context.req.query());
      const { items, ...rest } = await service().wakes(page);
      return answer(routes.listHeartbeatWakes, { wakes: items, ...rest });
    },
    wakeHeartbeat: async () => answer(routes.wakeHeartbeat, { wake: await service().wake() }),
  };
}
