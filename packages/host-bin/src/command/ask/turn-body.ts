import { parseCommandCall, type CreateTurnRequest, type TurnBody } from "@incipit/schema";
import type { Arguments } from "../arguments/arguments.ts";

/** What is sent for what was written: `/NAME` is a command, and the model is named for a conversation that has one already. */
export function turnBody(
  input: CreateTurnRequest["input"],
  { conversation, isContinued, maxSteps, model, system, systemMode }: Arguments,
): TurnBody {
  const command = typeof input === "string" ? parseCommandCall(input) : undefined;
  return {
    ...(command === undefined ? { input } : { command }),
    ...((conversation === undefined && !isContinued) || model === undefined ? {} : { model }),
    ...(system.length === 0 ? {} : { system: [...system] }),
    ...(systemMode === undefined ? {} : { systemMode }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  };
}
