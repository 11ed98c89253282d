import type { Clock, Contribution } from "@incipit/kernel";
import { absentReasonSchema, type PromptVariables } from "@incipit/service-contract";
import * as z from "zod";
import { withDeadline } from "./deadline.ts";
import type { Outcome, ResolverContext } from "./types.ts";

const answerSchema = z.union([z.object({ value: z.string() }), z.object({ absent: absentReasonSchema })]);

export interface ContributedOptions {
  readonly context: ResolverContext;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** A variable whose type an extension adds; an answer that is none is `failed`. @throws what the extension throws. */
export async function resolveContributed(
  { extension, value: variables }: Contribution<PromptVariables>,
  name: string,
  { context, maxBytes, ...deadline }: ContributedOptions,
): Promise<Outcome> {
  const answer = await withDeadline((signal) => variables.resolve(name, { ...context, signal }), deadline);
  if (answer.kind === "timeout") return { kind: "absent", reason: "timeout", source: extension, extension };
  const parsed = answerSchema.safeParse(answer.value);
  if (!parsed.success) return { kind: "absent", reason: "failed", source: extension, extension };
  if ("absent" in parsed.data) return { kind: "absent", reason: parsed.data.absent, source: extension, extension };
  const { value } = parsed.data;
  if (isLarger(value, maxBytes)) return { kind: "absent", reason: "too-large", source: extension, extension };
  // What is sent and kept is UTF-8, in which a lone surrogate has no form: explain shows the value as the prompt has it.
  return { kind: "value", value: value.toWellFormed(), source: extension, extension };
}

/** A text has at least as many bytes as units: a huge one is not looked through. */
export function isLarger(text: string, maxBytes: number): boolean {
  return text.length > maxBytes || Buffer.byteLength(text) > maxBytes;
}
