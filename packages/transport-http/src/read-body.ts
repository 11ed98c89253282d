import type { Clock } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import type * as z from "zod";

export const maxBodyBytes = 8 * 1_048_576;
const bodyTimeoutMs = 30_000;

/** Reads and checks a JSON body. @throws {ServiceError} `INVALID_REQUEST`, `BODY_TOO_LARGE`, `TIMEOUT`. */
export async function readBody<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  clock: Clock,
): Promise<z.output<Schema>> {
  const text = await readText(request, clock);
  if (text.trim() === "") throw new ServiceError("INVALID_REQUEST", "The request has no body; send a JSON object");
  return check(schema, parse(text));
}

/** @throws {ServiceError} `INVALID_REQUEST` that names each field that is wrong. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => ({
    field:
      issue.path.map(String).join(".") ||
      (issue.code === "unrecognized_keys" ? issue.keys.join(", ") : fieldsOf(schema)),
    message: issue.message,
  }));
  const message = problems.map((problem) => `"${problem.field}": ${problem.message}`).join("; ");
  throw new ServiceError("INVALID_REQUEST", `The request is not valid: ${message}`, { details: problems });
}

/** Where the value as a whole is wrong, what it should have held. */
function fieldsOf(schema: z.ZodType): string {
  return "shape" in schema && typeof schema.shape === "object" && schema.shape !== null
    ? Object.keys(schema.shape).join(", ")
    : "body";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError("INVALID_REQUEST", `The body is no valid JSON: ${reason}`, { cause: error });
  }
}

async function readText(request: Request, clock: Clock): Promise<string> {
  if (request.body === null) return "";
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isLate = false;
  const cancel = clock.setTimer(() => {
    isLate = true;
    void reader.cancel();
  }, bodyTimeoutMs);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (isLate) throw new ServiceError("TIMEOUT", `The body did not come within ${bodyTimeoutMs / 1_000} s`);
      if (done) break;
      size += value.byteLength;
      if (size > maxBodyBytes) {
        void reader.cancel();
        throw new ServiceError("BODY_TOO_LARGE", `The body is larger than ${maxBodyBytes} bytes`);
      }
      chunks.push(value);
    }
  } finally {
    cancel();
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new ServiceError("INVALID_REQUEST", "The body is not UTF-8", { cause: error });
  }
}
