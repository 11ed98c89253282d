import type { CreateTurnRequest, TurnBody } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { need, type Services } from "../context/services.ts";

/**
 * The message that a body stands for, in a conversation of that folder.
 *
 * @throws {ServiceError} `COMMAND_UNKNOWN`, `INVALID_REQUEST`, `SERVICE_UNAVAILABLE`.
 */
export async function toTurnRequest(
  { input, command, ...rest }: TurnBody,
  { commands, cwd, signal }: Pick<Services, "commands"> & { readonly cwd: string; readonly signal: AbortSignal },
): Promise<CreateTurnRequest> {
  if (input !== undefined) return { ...rest, input };
  if (command === undefined) throw new ServiceError("INVALID_REQUEST", 'A turn needs "input" or "command"');
  const expanded = await need(commands, "list of commands").expand(command, { cwd, signal });
  const model = rest.model ?? expanded.command.model ?? undefined;
  return { ...rest, ...(model === undefined ? {} : { model }), input: expanded.text, command };
}
