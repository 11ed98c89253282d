import { headersKey, isCredentialHeader } from "@incipit/kernel";
import * as z from "zod";

/** Fields that the configuration cannot override: records, audit and explanations read them. Covers all vendors. */
const hostsOwn = new Set([
  "model",
  "messages",
  "input",
  "contents",
  "prompt",
  "system",
  "systemInstruction",
  "system_instruction",
  "instructions",
  "previous_response_id",
  "conversation",
  "tools",
  "tool_choice",
  "toolConfig",
  "stream",
  "stream_options",
]);

/** Headers that the host or its HTTP client sets, which the configuration cannot override. */
const hostsHeader = /^(?:host|connection|content-.*|transfer-encoding|te|upgrade|expect|accept-encoding)$/i;

export function extraKeys() {
  return {
    extra_body: z
      .record(z.string(), z.json())
      .superRefine(namesWithout((name) => (hostsOwn.has(name) ? isHosts : undefined)))
      .exactOptional(),
    extra_headers: z
      .record(
        z.string(),
        z.string().regex(/^[\x20-\x7E]{1,1000}$/, "must be 1 to 1,000 printable ASCII characters"),
      )
      .superRefine(namesWithout(headerProblem))
      .exactOptional(),
    /** Headers from the environment; each value is the name of a variable. */
    extra_headers_env: headersKey().exactOptional(),
  };
}

const isHosts = "is written by the host itself; leave it out";

function headerProblem(name: string): string | undefined {
  if (!/^[A-Za-z0-9-]+$/.test(name)) return "must be the name of a header";
  if (isCredentialHeader(name))
    return "is for a secret: write it in extra_headers_env, with the variable that holds it";
  return hostsHeader.test(name) ? isHosts : undefined;
}

/** Checks the names of a record with a specific message each; zod alone reports only that a key is invalid. */
function namesWithout(problemOf: (name: string) => string | undefined) {
  return (fields: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void => {
    for (const name of Object.keys(fields)) {
      const message = problemOf(name);
      if (message !== undefined) context.addIssue({ code: "custom", path: [name], message });
    }
  };
}
