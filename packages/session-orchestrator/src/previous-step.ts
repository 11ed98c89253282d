import type { Storage } from "@incipit/kernel";
import { stepIdSchema, stepSchema, type StepId } from "@incipit/service-contract";
import * as z from "zod";
import { leaveOut } from "./leave-out.ts";
import type { PartHash } from "./step-audit.ts";
import { forkBaseSchema, keys, type StoredConversation } from "./stored.ts";

/** What the step before sent: what the next one is held against. */
export interface PreviousStep {
  readonly parts: readonly PartHash[];
  readonly model: string;
  readonly isCompaction: boolean;
  readonly hasRequestTier: boolean;
}

export interface PreviousSteps {
  readonly newestStepId: StepId | undefined;
  /** Whether there were model calls, its source's among them. */
  readonly hasSteps: boolean;
  readonly previousStep: PreviousStep | undefined;
}

/**
 * What the last step of a conversation sent, as far as it can be told from its record and the history; for a fork, what
 * its source had sent until then.
 */
export async function readPreviousStep(
  storage: Storage,
  record: StoredConversation,
  hashMessages: () => readonly PartHash[],
): Promise<PreviousSteps> {
  const prefix = keys.steps(record.id);
  const [newest] = await storage.list({ prefix, reverse: true, limit: 1 }, z.unknown());
  const base = record.forkedFrom === null ? undefined : await storage.get(keys.forkBase(record.id), forkBaseSchema);
  const before = base?.previousStep ?? undefined;
  if (newest === undefined) {
    const none = { newestStepId: undefined, hasSteps: base?.hasSteps === true };
    if (before === undefined) return { ...none, previousStep: undefined };
    const { tools, system, sentMessages, model, hasRequestTier } = before;
    const parts = [tools, system, ...hashMessages().slice(0, sentMessages)];
    return { ...none, previousStep: { parts, model, isCompaction: false, hasRequestTier } };
  }
  // Its key tells that there was a call: whatever has become of the record, the prompt is kept.
  const found = { newestStepId: stepIdSchema.parse(newest.key.slice(prefix.length)), hasSteps: true };
  const last = stepSchema.safeParse(newest.value).data;
  if (last === undefined) return { ...found, previousStep: undefined };
  if (last.epoch !== record.epoch) return { ...found, previousStep: undefined };
  let tools: PartHash | undefined;
  let system: PartHash | undefined;
  let end = `${prefix}~`;
  // A part is recorded by the step that sent it first; with a steady prompt that is the first step of the epoch.
  while (tools === undefined || system === undefined) {
    const page = await storage.list({ start: prefix, end, reverse: true, limit: 50, ...leaveOut }, stepSchema);
    for (const { value } of page) {
      tools ??= value.parts.find(({ part }) => part === "tools");
      system ??= value.parts.find(({ part }) => part === "system");
    }
    const oldest = page.at(-1);
    if (oldest === undefined) {
      tools ??= before?.tools;
      system ??= before?.system;
      if (tools === undefined || system === undefined) return { ...found, previousStep: undefined };
      break;
    }
    end = oldest.key;
  }
  const lastPart = last.parts.at(-1)?.part ?? "";
  const sent = lastPart.startsWith("message:") ? Number(lastPart.slice("message:".length)) + 1 : 0;
  return {
    ...found,
    previousStep: {
      parts: [tools, system, ...hashMessages().slice(0, sent)],
      model: last.model,
      isCompaction: last.purpose === "compaction",
      hasRequestTier: last.differenceReason === "request-tier",
    },
  };
}
