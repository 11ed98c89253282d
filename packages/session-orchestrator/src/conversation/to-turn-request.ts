import { errorMessage, fittingJson } from "@incipit/kernel";
import type { CreateTurnRequest, TurnBody } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { wellFormedCall, wellFormedInput } from "../call/well-formed-input.ts";
import type { TurnRequest } from "../store/stored.ts";

/**
 * `allow`: tool calls that need no approval in this turn.
 *
 * @throws {ServiceError} `INVALID_REQUEST` for an unusable schema.
 */
export function toTurnRequest({ input, ...request }: CreateTurnRequest, allow: readonly string[]): TurnRequest {
  if (request.schema !== undefined) assertUsable(request.schema);
  return { input: wellFormedInput(input), ...besideInput(request), ...allowOf(allow) };
}

/** Excludes a command's text, whose file may have changed. */
export function idempotentContent({ input, ...request }: TurnBody, allow: readonly string[]): Partial<TurnRequest> {
  const rest = { ...besideInput(request), ...allowOf(allow) };
  return request.command !== undefined || input === undefined ? rest : { input: wellFormedInput(input), ...rest };
}

function allowOf(allow: readonly string[]): Pick<TurnRequest, "allow"> {
  return allow.length === 0 ? {} : { allow: [...allow] };
}

function besideInput({
  command,
  model,
  system,
  systemMode,
  maxSteps,
  maxCost,
  schema,
}: Omit<TurnBody, "input">): Omit<TurnRequest, "input"> {
  return {
    ...(command === undefined ? {} : { command: wellFormedCall(command) }),
    ...(model === undefined ? {} : { model }),
    ...(system === undefined ? {} : { system: typeof system === "string" ? [system] : system }),
    ...(systemMode === undefined ? {} : { systemMode }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(schema === undefined ? {} : { schema }),
  };
}

function assertUsable(schema: NonNullable<TurnRequest["schema"]>): void {
  try {
    fittingJson(schema);
  } catch (cause) {
    throw new ServiceError("INVALID_REQUEST", errorMessage(cause), { cause });
  }
}
