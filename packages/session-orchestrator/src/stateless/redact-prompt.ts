import type { JsonValue } from "@incipit/kernel";
import type { Redactor } from "@incipit/redaction";
import type { ModelCallPrompt } from "@incipit/schema";
import * as z from "zod";
import { redactDeep } from "../records/redact-deep.ts";

export function redactPrompt(redactor: Redactor, prompt: ModelCallPrompt): JsonValue {
  const counts = new Map<string, number>();
  const kept = redactDeep(redactor, z.json().parse(prompt), counts);
  return { ...z.record(z.string(), z.json()).parse(kept), isRedacted: prompt.isRedacted || counts.size > 0 };
}
