import { routes } from "@incipit/transport-contract";
import { buildCommand } from "../build-command.ts";
import { startHostProcess } from "../host-process.ts";
import { turnTimeoutMs, type ProgramKind } from "./program.ts";

export const incipit: ProgramKind = {
  name: "Incipit",
  async prepare() {
    // A release, like the other programs.
    const command = await buildCommand();
    return async (options) => {
      const host = await startHostProcess({ ...options, command });
      let id: string | undefined;
      return {
        pid: host.pid,
        readyMs: host.readyMs,
        async takeTurn(input) {
          id ??= (await host.client.call(routes.createConversation, { body: {} })).conversation.id;
          for await (const event of host.client.sendTurn(
            id,
            { input },
            { signal: AbortSignal.timeout(turnTimeoutMs) },
          ))
            if (event.type === "turn-end" && event.status !== "completed")
              throw new Error(`A turn ended ${event.status}`);
        },
        [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
      };
    };
  },
};
