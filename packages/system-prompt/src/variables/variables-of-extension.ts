import type { Contribution } from "@incipit/kernel";
import { absentReasonSchema, lazySchema } from "@incipit/schema";
import type { PromptVariables } from "@incipit/service-contract";
import * as z from "zod";
import type { Outcome } from "../types.ts";
import type { VariableType } from "./variable-type.ts";

const answerSchema = lazySchema(() =>
  z.union([z.object({ value: z.string() }), z.object({ absent: absentReasonSchema })]),
);

/** A type of variables that an extension adds, as the resolver knows types; an answer that is none is `failed`. */
export function variablesOfExtension({ extension, value: variables }: Contribution<PromptVariables>): VariableType {
  return {
    extension,
    sharedLimit: "maxTotalVariableBytes",
    facts: () => undefined,
    open:
      ({ context }) =>
      async ({ name, signal }) =>
        toOutcome(await variables.resolve(name, { ...context, signal }), extension),
  };
}

function toOutcome(answer: unknown, extension: string): Outcome {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) {
    const detail = "gave neither { value: a text } nor { absent: a reason }";
    return { kind: "absent", reason: "failed", source: extension, extension, detail };
  }
  return "absent" in parsed.data
    ? { kind: "absent", reason: parsed.data.absent, source: extension, extension }
    : { kind: "value", value: parsed.data.value, source: extension, extension };
}
