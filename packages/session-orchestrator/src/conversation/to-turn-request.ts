import { errorMessage, fittingJson } from "@incipit/kernel";
import type { CreateTurnRequest, TurnBody } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { wellFormedCall, wellFormedInput } from "../call/input-text.ts";
import type { TurnRequest } from "../store/stored.ts";

/** A message as it is stored. @throws {ServiceError} `INVALID_REQUEST`: nobody can use its schema. */
export function toTurnRequest({ input, ...request }: CreateTurnRequest): TurnRequest {
  if (request.schema !== undefined) assertUsable(request.schema);
  return { input: wellFormedInput(input), ...besideInput(request) };
}

/** What an idempotency key stands for; of a command, not its text: its file may have changed since. */
export function asAsked({ input, ...request }: TurnBody): Partial<TurnRequest> {
  if (request.command !== undefined || input === undefined) return besideInput(request);
  return { input: wellFormedInput(input), ...besideInput(request) };
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
