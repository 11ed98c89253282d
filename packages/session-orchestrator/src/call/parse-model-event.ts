import { errorMessage, isTooDeep, tooDeepText } from "@incipit/kernel";
import { finishReasonSchema, lazySchema, partMetadataSchema, type FinishReason, type Usage } from "@incipit/schema";
import type { ModelEvent } from "@incipit/service-contract";
import * as z from "zod";
import { countedUsage } from "./counted-usage.ts";
import { maxFailureLength, StepFailure } from "../failures/step-failure.ts";

const metadata = z
  .custom<unknown>((value) => !isTooDeep(value), `is ${tooDeepText}`)
  .pipe(partMetadataSchema)
  .exactOptional();
const partId = z.string();
const toolCallId = z.string();
const name = z.string();

const failureSchema = lazySchema(() =>
  z.object({
    code: z.string(),
    message: z.string().transform((text) => text.slice(0, maxFailureLength)),
    isRetryable: z.boolean(),
    retryAfterMs: z.number().min(0).exactOptional(),
  }),
);

/** Longer than any vendor's value. */
const said = z.string().min(1).max(500).exactOptional();
const responseSchema = lazySchema(() => z.object({ id: said, model: said }));

const eventSchema = lazySchema(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal(["text-delta", "reasoning-delta"]), partId, text: z.string() }),
    z.object({ type: z.literal(["text-start", "reasoning-start"]), partId }),
    z.object({ type: z.literal(["text-end", "reasoning-end"]), partId, metadata }),
    z.object({ type: z.literal("tool-call-start"), toolCallId, name }),
    z.object({ type: z.literal("tool-call"), toolCallId, name, input: z.string(), metadata }),
    z.object({
      type: z.literal("tool-run"),
      toolCallId,
      name,
      input: z.string(),
      output: z.string(),
      isError: z.boolean(),
    }),
    z.object({ type: z.literal("failure"), error: failureSchema }),
  ]),
);

/**
 * Third-party providers may yield any value, and stored events must stay readable. Reads each member once.
 *
 * @throws {StepFailure} `BAD_RESPONSE`.
 */
export function parseModelEvent(given: unknown, model: string): ModelEvent {
  const parsed = parse(given);
  if (parsed.success) return parsed.data;
  const message = `The provider of "${model}" gave an invalid event: ${parsed.problem}`;
  throw new StepFailure({ code: "BAD_RESPONSE", message, isRetryable: false });
}

const maxExplanationLength = 20_000;

function parse(
  given: unknown,
): { readonly success: true; readonly data: ModelEvent } | { readonly success: false; readonly problem: string } {
  try {
    const plain = plainEvent(given);
    if (plain !== undefined) return { success: true, data: plain };
    const { data, error } = eventSchema.safeParse(given);
    if (data !== undefined) return { success: true, data };
    const [issue] = error.issues;
    return { success: false, problem: `${issue?.path.map(String).join(".") || "it"}: ${issue?.message}` };
  } catch (error) {
    return { success: false, problem: errorMessage(error).slice(0, 500) }; // A getter or proxy has thrown.
  }
}

/** Fast path for the most frequent events, equivalent to the schema. */
function plainEvent(given: unknown): ModelEvent | undefined {
  if (typeof given !== "object" || given === null || !("type" in given)) return undefined;
  const { type } = given;
  if (type === "finish") {
    const response = responseSchema.safeParse("response" in given ? given.response : undefined).data;
    const said = response === undefined ? {} : { response };
    const stopSequence = "stopSequence" in given ? given.stopSequence : undefined;
    const explanation = "explanation" in given ? given.explanation : undefined;
    return {
      type,
      usage: usageOf(given),
      finishReason: finishReasonOf(given),
      ...said,
      ...(typeof stopSequence === "string" ? { stopSequence } : {}),
      ...(typeof explanation === "string" ? { explanation: explanation.slice(0, maxExplanationLength) } : {}),
    };
  }
  const id = "partId" in given ? given.partId : undefined;
  if (typeof id !== "string") return undefined;
  switch (type) {
    case "text-delta":
    case "reasoning-delta": {
      const text = "text" in given ? given.text : undefined;
      return typeof text === "string" ? { type, partId: id, text } : undefined;
    }
    case "text-start":
    case "reasoning-start":
      return { type, partId: id };
    case "text-end":
    case "reasoning-end":
      return "metadata" in given ? undefined : { type, partId: id };
    default:
      return undefined;
  }
}

function usageOf(finish: object): Usage {
  return countedUsage("usage" in finish ? finish.usage : undefined);
}

function finishReasonOf(finish: object): FinishReason {
  return finishReasonSchema.safeParse("finishReason" in finish ? finish.finishReason : undefined).data ?? "other";
}
