import { headersKey, isCredentialHeader } from "@incipit/kernel";
import * as z from "zod";

/** What the host writes itself, in the words of each vendor: its records, its audit and its explanations rest on it. */
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

/** What the host or its HTTP client writes. */
const hostsHeader = /^(?:host|connection|content-.*|transfer-encoding|te|upgrade|expect|accept-encoding)$/i;

/** Keys that an endpoint has, and each of its models. */
export function extraKeys() {
  return {
    /** Laid over the body of each request. */
    extra_body: z
      .record(z.string(), z.json())
      .superRefine(namesWithout((name) => (hostsOwn.has(name) ? isHosts : undefined)))
      .exactOptional(),
    /** Sent with each request, as they are written. */
    extra_headers: z
      .record(
        z.string(),
        z.string().regex(/^[\x20-\x7E]{1,1000}$/, "must be 1 to 1,000 printable ASCII characters"),
      )
      .superRefine(namesWithout(headerProblem))
      .exactOptional(),
    /** Headers whose values are secrets, and the variables that hold them. */
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

/** What is wrong is said of each name: of a key that its schema refuses, zod says only that it is refused. */
function namesWithout(problemOf: (name: string) => string | undefined) {
  return (fields: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void => {
    for (const name of Object.keys(fields)) {
      const message = problemOf(name);
      if (message !== undefined) context.addIssue({ code: "custom", path: [name], message });
    }
  };
}
