import type { Contribution } from "@incipit/kernel";
import { absentReasonSchema, escapeHiddenLine, lazySchema } from "@incipit/schema";
import type { PromptVariables, UntrustedPolicy } from "@incipit/service-contract";
import * as z from "zod";
import type { Outcome } from "../types.ts";
import type { VariableType } from "./variable-type.ts";

const maxFiles = 1_000;

const fileSchema = lazySchema(() =>
  z.object({
    path: z.string().max(4_096),
    sizeBytes: z.int().nonnegative(),
    trust: z.enum(["trusted", "not-trusted", "changed"]).nullable(),
  }),
);

const leftOutSchema = lazySchema(() =>
  z.object({
    path: z.string().max(4_096),
    reason: z.enum([...absentReasonSchema.options, "not-applied"]),
    why: z.string(),
  }),
);

const answerSchema = lazySchema(() => {
  const common = {
    detail: z.string().exactOptional(),
    leftOut: z.array(leftOutSchema).max(maxFiles).exactOptional(),
  };
  return z.union([
    z.object({ value: z.string(), files: z.array(fileSchema).max(maxFiles).exactOptional(), ...common }),
    z.object({ absent: absentReasonSchema, ...common }),
  ]);
});

/** Wraps the variables of an extension; an invalid answer becomes `failed`. */
export function variablesOfExtension(
  { extension, value: variables }: Contribution<PromptVariables>,
  untrusted: UntrustedPolicy,
): VariableType {
  return {
    extension,
    sharedLimit: "maxTotalVariableBytes",
    facts: () => undefined,
    open:
      ({ context }) =>
      async ({ name, signal }) =>
        toOutcome(await variables.resolve(name, { ...context, untrusted, signal }), extension),
  };
}

function toOutcome(answer: unknown, extension: string): Outcome {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) {
    const detail = "gave neither { value: a text } nor { absent: a reason }";
    return { kind: "absent", reason: "failed", source: extension, extension, detail };
  }
  const { detail: said, leftOut, ...answered } = parsed.data;
  const common = {
    source: extension,
    extension,
    ...(said === undefined ? {} : { detail: oneLine(said) }),
    ...(leftOut === undefined
      ? {}
      : { leftOut: leftOut.map(({ path, reason, why }) => ({ path: oneLine(path), reason, why: oneLine(why) })) }),
  };
  return "absent" in answered
    ? { kind: "absent", reason: answered.absent, ...common }
    : { kind: "value", ...answered, ...common };
}

const maxDetail = 8_192;

function oneLine(detail: string): string {
  const line = escapeHiddenLine(
    detail
      .slice(0, maxDetail)
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " "),
  );
  return detail.length > maxDetail ? `${line}…` : line;
}
