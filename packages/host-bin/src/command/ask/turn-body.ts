import { parseCommandCall, type CreateTurnRequest, type TurnBody } from "@incipit/schema";
import type { TalkArguments } from "./talk-arguments.ts";

export function turnBody(
  input: CreateTurnRequest["input"],
  { allow, maxCost, maxSteps, system, systemMode }: TalkArguments,
  schema?: TurnBody["schema"],
): TurnBody {
  const command = typeof input === "string" ? parseCommandCall(input) : undefined;
  return {
    ...(command === undefined ? { input } : { command }),
    ...(system.length === 0 ? {} : { system: [...system] }),
    systemMode,
    ...(allow.length === 0 ? {} : { allow: [...allow] }),
    maxCost,
    schema,
    maxSteps,
  };
}
