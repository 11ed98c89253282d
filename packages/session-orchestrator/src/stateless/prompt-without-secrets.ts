import type { JsonValue } from "@incipit/kernel";
import type { Redactor } from "@incipit/redaction";
import type { ModelCallPrompt } from "@incipit/service-contract";
import * as z from "zod";

/** What a call was told as it may be stored: each text of it, the templates and values that it came from among them. */
export function promptWithoutSecrets(redactor: Redactor, prompt: ModelCallPrompt): JsonValue {
  const { isRedacted, ...told } = prompt;
  const kept = withoutSecrets(redactor, z.json().parse(told));
  return { ...z.record(z.string(), z.json()).parse(kept.value), isRedacted: isRedacted || kept.isRedacted };
}

interface Kept {
  readonly value: JsonValue;
  readonly isRedacted: boolean;
}

function withoutSecrets(redactor: Redactor, value: JsonValue): Kept {
  if (typeof value === "string") {
    const found = redactor.find(value);
    return { value: redactor.leaveOut(value, found).text, isRedacted: found.hasAny };
  }
  if (typeof value !== "object" || value === null) return { value, isRedacted: false };
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutSecrets(redactor, item));
    return { value: items.map((item) => item.value), isRedacted: items.some((item) => item.isRedacted) };
  }
  const entries = Object.entries(value).map(([key, item]) => [key, withoutSecrets(redactor, item)] as const);
  return {
    value: Object.fromEntries(entries.map(([key, item]) => [key, item.value])),
    isRedacted: entries.some(([, item]) => item.isRedacted),
  };
}
