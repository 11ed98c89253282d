import { findJsonFault, jsonTextProblem, type Clock } from "@incipit/kernel";
import { ServiceError } from "@incipit/service-contract";
import type { MiddlewareHandler } from "hono";
import type * as z from "zod";
import { errorAnswer } from "../answer/error-answer.ts";

const maxBodyBytes = 8 * 1_048_576;
const tooLarge = `The body is larger than ${maxBodyBytes} bytes`;
const bodyTimeoutMs = 30_000;

/** By content-length before reading, except JSON Lines, which are limited per line. */
export function checkBodySize(takesLines: (path: string) => boolean): MiddlewareHandler {
  return async (context, next) => {
    const isTooLarge = Number(context.req.header("content-length") ?? 0) > maxBodyBytes;
    if (isTooLarge && !takesLines(context.req.path)) return errorAnswer("BODY_TOO_LARGE", tooLarge);
    await next();
    return undefined;
  };
}

export interface ReadBodyOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly isOptional?: boolean;
}

/** @throws {ServiceError} `INVALID_REQUEST`, `BODY_TOO_LARGE`, `TIMEOUT`. */
export async function readBody<Schema extends z.ZodObject>(
  request: Request,
  schema: Schema,
  { isOptional = false, ...options }: ReadBodyOptions,
): Promise<z.output<Schema>> {
  const text = await readText(request, options);
  if (text.trim() === "" && isOptional) return check(schema, {});
  if (text.trim() === "") {
    throw new ServiceError(
      "INVALID_REQUEST",
      `The request has no body; send a JSON object with ${fieldsOf(schema)}`,
    );
  }
  return check(schema, parse(text, schema));
}

export function check<Schema extends z.ZodObject>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues
    .slice(0, maxProblems)
    .map(nearest)
    .map((issue) => {
      const path = issue.path.map(String).join(".");
      if (issue.code === "unrecognized_keys") {
        const keys = issue.keys
          .slice(0, maxProblems)
          .map((key) => `"${path === "" ? key : `${path}.${key}`}"`)
          .join(", ");
        return {
          field: keys,
          message: path === "" ? `unknown key; known keys: ${fieldsOf(schema)}` : "unknown key",
        };
      }
      if (path !== "") return { field: `"${path}"`, message: issue.message };
      return { field: "body", message: `${issue.message}, with ${fieldsOf(schema)}` };
    });
  const message = problems.map((problem) => `${problem.field}: ${problem.message}`).join("; ");
  throw new ServiceError("INVALID_REQUEST", `The request is not valid: ${message}`, { details: problems });
}

/** Per body, and keys per problem. */
const maxProblems = 20;

/** Returns the issue of the option of a union to which the value is closest. */
function nearest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== "invalid_union") return issue;
  const inner = issue.errors.flatMap((issues) => issues.slice(0, 1)).map(nearest);
  // An option that only rejects unknown fields has the best message for them.
  const unknown = inner.find(
    (one) =>
      one.code === "unrecognized_keys" &&
      one.path.length === 0 &&
      !inner.some(({ path }) => one.keys.includes(String(path[0]))),
  );
  if (unknown !== undefined) return { ...unknown, path: issue.path };
  const [best] = inner.toSorted((a, b) => b.path.length - a.path.length);
  return best === undefined || best.path.length === 0 ? issue : { ...best, path: [...issue.path, ...best.path] };
}

function fieldsOf(schema: z.ZodObject): string {
  return Object.keys(schema.shape)
    .map((key) => `"${key}"`)
    .join(", ");
}

function parse(text: string, schema: z.ZodObject): unknown {
  const problem = jsonTextProblem(text);
  if (problem !== undefined) throw new ServiceError("INVALID_REQUEST", `The body is ${problem}; send less`);
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/^JSON Parse error: /, "");
    const fault = findJsonFault(text);
    const place = fault === undefined ? "" : ` at line ${fault.line}, column ${fault.column}`;
    const message = `The body is not valid JSON${place}: ${reason}; send a JSON object with ${fieldsOf(schema)}`;
    throw new ServiceError("INVALID_REQUEST", message, { cause: error });
  }
}

async function readText(request: Request, { clock, signal }: ReadBodyOptions): Promise<string> {
  if (request.body === null) return "";
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let refusal: ServiceError | undefined;
  const refuse = (reason: ServiceError): void => {
    refusal = reason;
    reader.cancel().catch(() => undefined);
  };
  const leave = (): void => refuse(new ServiceError("TIMEOUT", "The body did not end in time"));
  signal.addEventListener("abort", leave, { once: true });
  if (signal.aborted) leave();
  const cancelTimer = clock.setTimer(
    () => refuse(new ServiceError("TIMEOUT", `The body did not come within ${bodyTimeoutMs / 1_000} s`)),
    bodyTimeoutMs,
  );
  try {
    for (;;) {
      const { done, value } = await whole(() => reader.read());
      if (refusal !== undefined) throw refusal;
      if (done) break;
      size += value.byteLength;
      if (size > maxBodyBytes) refuse(new ServiceError("BODY_TOO_LARGE", tooLarge));
      else chunks.push(value);
    }
  } finally {
    cancelTimer();
    signal.removeEventListener("abort", leave);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new ServiceError("INVALID_REQUEST", "The body is not UTF-8", { cause: error });
  }
}

/** A disconnect during the body is a client error. */
async function whole<Chunk>(read: () => Promise<Chunk>): Promise<Chunk> {
  try {
    return await read();
  } catch (error) {
    throw new ServiceError("INVALID_REQUEST", "The body was cut off before its end", { cause: error });
  }
}
