import { KernelError, type Clock, type Contribution } from "@incipit/kernel";
import { absentReasonSchema, type AbsentReason } from "@incipit/schema";
import type { PromptVariables } from "@incipit/service-contract";
import * as z from "zod";
import { withDeadline } from "./deadline.ts";
import { cut } from "./failure-text.ts";
import type { DescribeFailure, Outcome, ResolverContext } from "../types.ts";

const answerSchema = z.union([z.object({ value: z.string() }), z.object({ absent: absentReasonSchema })]);

export interface ContributedOptions {
  readonly context: ResolverContext;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly describeFailure: DescribeFailure;
  readonly signal: AbortSignal;
}

/**
 * A variable whose type an extension adds. An answer that is none is `failed`; so is a throw, and what it threw is told
 * in the detail, or `denied` where the extension was refused what it has no grant for.
 * @throws the reason of `signal`, and nothing else.
 */
export async function resolveContributed(
  contribution: Contribution<PromptVariables>,
  { type, name }: { readonly type: string; readonly name: string },
  options: ContributedOptions,
): Promise<Outcome> {
  const { extension } = contribution;
  const { describeFailure, signal } = options;
  const absent = (reason: AbsentReason, detail?: string): Outcome => ({
    kind: "absent",
    reason,
    source: extension,
    extension,
    ...(detail === undefined ? {} : { detail }),
  });
  try {
    const answer = await ask(contribution, name, options);
    if (answer.kind === "timeout") return absent("timeout", `not done within ${options.timeoutMs} ms`);
    const parsed = answerSchema.safeParse(answer.value);
    if (!parsed.success) return absent("failed", `gave neither { value: a text } nor { absent: a reason }`);
    if ("absent" in parsed.data) return absent(parsed.data.absent);
    const { value } = parsed.data;
    if (isLarger(value, options.maxBytes)) return absent("too-large", `has more than ${options.maxBytes} bytes`);
    // What is sent and kept is UTF-8, in which a lone surrogate has no form: explain shows the value as the prompt has it.
    return { kind: "value", value: value.toWellFormed(), source: extension, extension };
  } catch (error) {
    signal.throwIfAborted();
    const detail = await describeFailure(extension, { what: `variable [${type}:${cut(name)}]`, error });
    return absent(isDenied(error) ? "denied" : "failed", detail);
  }
}

function ask(
  { value: variables }: Contribution<PromptVariables>,
  name: string,
  { context, clock, timeoutMs, signal }: ContributedOptions,
): ReturnType<typeof withDeadline<unknown>> {
  return withDeadline((late) => variables.resolve(name, { ...context, signal: late }), {
    clock,
    timeoutMs,
    signal,
  });
}

/** Whatever was thrown may itself throw when it is looked at. */
function isDenied(error: unknown): boolean {
  try {
    return KernelError.is(error) && error.code === "CAPABILITY_DENIED";
  } catch {
    return false;
  }
}

/** A text has at least as many bytes as units: a huge one is not looked through. */
export function isLarger(text: string, maxBytes: number): boolean {
  return text.length > maxBytes || Buffer.byteLength(text) > maxBytes;
}
