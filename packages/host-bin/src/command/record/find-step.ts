import { ApiClientError, type Client, routes, pagesOf } from "@incipit/transport-contract";
import { UsageError } from "../registry/usage-error.ts";
import type { Step } from "@incipit/schema";

export type StepPlace = Readonly<Record<"id" | "stepId", string>>;

/** Takes a step id, or a conversation id and a step number (default `last`). */
export async function findStep(client: Client, given: string, step: string | undefined): Promise<StepPlace> {
  const steps = await stepIdsOf(client, given);
  if (steps === undefined) {
    if (step !== undefined)
      throw new UsageError(`"--step" goes with a conversation's id, and no conversation has the id "${given}"`);
    const { conversationId, stepId } = await client.call(routes.findStep, { params: { stepId: given } });
    return { id: conversationId, stepId };
  }
  const number = step === undefined || step === "last" ? steps.length : Number(step);
  const stepId = Number.isInteger(number) ? steps[number - 1] : undefined;
  if (stepId !== undefined) return { id: given, stepId };
  const there = steps.length === 0 ? "has no model call yet" : `has the model calls 1 to ${steps.length}`;
  throw new UsageError(`Conversation "${given}" ${there}; write --step N, or --step last`);
}

async function stepIdsOf(client: Client, id: string): Promise<readonly string[] | undefined> {
  try {
    return await Array.fromAsync(stepsOf(client, id), (step) => step.id);
  } catch (error) {
    if (error instanceof ApiClientError && ["CONVERSATION_UNKNOWN", "INVALID_REQUEST"].includes(error.code))
      return undefined;
    throw error;
  }
}

export async function* stepsOf(client: Client, id: string): AsyncGenerator<Step> {
  for await (const { steps } of pagesOf((cursor) =>
    client.call(routes.listSteps, { params: { id }, query: { limit: 1_000, cursor } }),
  ))
    yield* steps;
}
