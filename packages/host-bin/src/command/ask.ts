import { routes, type Client, type CreateTurnRequest, type TurnEvent } from "@incipit/transport-contract";
import { resolve } from "node:path";
import type { Arguments } from "./arguments.ts";

export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** The conversation that the command goes on with, or a new one. */
export async function openConversation(client: Client, args: Arguments): Promise<string> {
  if (args.conversation !== undefined) {
    const { conversation } = await client.call(routes.getConversation, { params: { id: args.conversation } });
    return conversation.id;
  }
  const body = {
    cwd: resolve(args.cwd ?? process.cwd()),
    ...(args.model === undefined ? {} : { model: args.model }),
    ...(args.profile === undefined ? {} : { profile: args.profile }),
  };
  const { conversation } = await client.call(routes.createConversation, { body });
  return conversation.id;
}

/** Sends one message and shows the answer as it comes. The result is the exit code. */
export async function ask(
  client: Client,
  id: string,
  input: string,
  args: Arguments,
  { out, err }: Output,
): Promise<number> {
  const request: CreateTurnRequest = {
    input,
    ...(args.conversation === undefined || args.model === undefined ? {} : { model: args.model }),
    ...(args.system === undefined ? {} : { system: args.system }),
  };
  let last: TurnEvent | undefined;
  const stop = (): void => void client.call(routes.stopConversation, { params: { id } }).catch(() => undefined);
  process.once("SIGINT", stop);
  try {
    for await (const event of client.sendTurn(id, request)) {
      last = event;
      if (args.isJson) out(`${JSON.stringify(event)}\n`);
      else if (event.type === "text-delta") out(event.text);
      else if (event.type === "text-end") out("\n");
      else if (event.type === "step-retry")
        err(`${event.error.message}; trying again in ${Math.ceil(event.waitMs / 1_000)} s\n`);
    }
  } finally {
    process.off("SIGINT", stop);
  }
  if (last?.type !== "turn-end") {
    err("The host went away before the turn had ended\n");
    return 1;
  }
  if (last.status === "completed") return 0;
  if (last.status === "cancelled") return 130;
  err(`The turn ended as ${last.status}${last.error === undefined ? "" : `: ${last.error.message}`}\n`);
  return 1;
}
