import type { CreateTurnRequest, TurnBody } from "@incipit/schema";
import { ServiceError, type ExpandedCommand, type DeferredTurn } from "@incipit/service-contract";
import { need, type Services } from "../context/services.ts";

/** A command is expanded when the turn is sent. */
export function toTurnRequest(
  body: TurnBody,
  {
    commands,
    ...query
  }: Pick<Services, "commands"> & {
    readonly cwd: string;
    readonly isImported: boolean;
    readonly signal: AbortSignal;
  },
): CreateTurnRequest | DeferredTurn {
  const { input, command, allow: _, ...rest } = body;
  if (input !== undefined) return { ...rest, input };
  if (command === undefined) throw new ServiceError("INVALID_REQUEST", 'A turn needs "input" or "command"');
  return {
    asked: body,
    async make() {
      const expanded = await need(commands, "list of commands").expand(command, query);
      const model = rest.model ?? expanded.command.model ?? undefined;
      return { ...rest, ...(model === undefined ? {} : { model }), input: inputOf(expanded), command };
    },
  };
}

function inputOf({ text, files = [] }: ExpandedCommand): CreateTurnRequest["input"] {
  return files.length === 0 ? text : [{ type: "text", text }, ...files];
}
