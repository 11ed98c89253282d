import { fieldsOf } from "../json/fields.ts";
import { secureJson } from "../json/secure-json.ts";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";

interface SaidError {
  readonly message: string;
  readonly type?: string;
  readonly code?: string | number;
}

/** Most common first: OpenAI, FastAPI, gateways, and older APIs. */
const wordKeys = [
  "message",
  "detail",
  "msg",
  "error",
  "errors",
  "error_message",
  "errorMessage",
  "error_msg",
  "error_description",
  "description",
  "reason",
  "title",
] as const;
const maxDepth = 4;
/** In UTF-16 units, for an error without a message. */
const maxJsonLength = 400;

/** Extracts message and names from an error: a string, an object, or a list of these. */
export function parseVendorError(error: unknown): SaidError {
  const { type, code, status } = fieldsOf(Array.isArray(error) ? error[0] : error);
  const named = typeof code === "string" || typeof code === "number" ? code : status;
  const hidden = hiddenWords(error);
  const words = wordsOf(error, 0);
  return {
    message:
      (words === undefined || hidden === undefined ? words : `${words}: ${hidden}`) ??
      JSON.stringify(error).slice(0, maxJsonLength).toWellFormed(),
    ...(typeof type === "string" ? { type } : {}),
    ...(typeof named === "string" || typeof named === "number" ? { code: named } : {}),
  };
}

/**
 * Returns the error in a JSON value received in place of a chunk: `{"error": …}` with any content, `{"detail": …}`,
 * `{"object": "error", "message": …}`, or a list of one. `undefined` for any other value.
 */
export function errorIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? errorIn(value[0]) : undefined;
  const fields = fieldsOf(value);
  const { error, errors, detail, message, msg } = fields;
  if (isSaid(error)) return error;
  if (isSaid(errors)) return errors;
  if (isSaid(detail)) return value;
  const words = !isNotice(fields) && [message, msg].some((said) => typeof said === "string" && said !== "");
  return words || isNamedError(fields) ? value : undefined;
}

/** Returns whether a generic error contains the actual error of another server. */
export function hasNestedError(error: unknown): boolean {
  return hiddenWords(error) !== undefined;
}

/** OpenRouter's format: `{ message: "Provider returned error", metadata: { raw } }`, where `raw` may be JSON. */
function hiddenWords(error: unknown): string | undefined {
  const { message, metadata } = fieldsOf(error);
  const { raw } = fieldsOf(metadata);
  if (typeof message !== "string" || typeof raw !== "string" || message.includes(raw)) return undefined;
  try {
    return wordsOf(secureJson(raw), 0) ?? wordsOf(raw, 0);
  } catch {
    return wordsOf(raw, 0);
  }
}

/** Vendors add informational events at any time. */
function isNotice({ type, code, status }: Readonly<Record<string, unknown>>): boolean {
  if (typeof type !== "string" || type === "" || isNamed(code) || isNamed(status)) return false;
  return !/error|exception|fail|invalid|denied|refus|reject|limit|exceed|overload|unavailable|timeout|abort|cancel/i.test(
    type,
  );
}

function isNamedError({ type, object, status, success }: Readonly<Record<string, unknown>>): boolean {
  return type === "error" || object === "error" || status === "error" || success === false;
}

/** Returns whether an error has content: some servers send an empty field with each event. */
function isSaid(value: unknown): boolean {
  if (!isNamed(value)) return false;
  return typeof value !== "object" || Object.values(value ?? {}).some(isNamed);
}

function isNamed(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== "" && value !== 0;
}

function wordsOf(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value.replaceAll(/\s+/g, " ").trim();
  if (typeof value !== "object" || value === null || depth > maxDepth) return undefined;
  const inner: readonly unknown[] = Array.isArray(value) ? value : wordKeys.map((key) => fieldsOf(value)[key]);
  for (const one of inner) {
    const words = wordsOf(one, depth + 1);
    if (words !== undefined) return words;
  }
  return undefined;
}

const name = z.union([z.string(), z.number()]).nullish().catch(undefined);
const errorSchema = lazySchema(() =>
  z.looseObject({ message: z.string(), type: z.string().nullish().catch(undefined), code: name }),
);

interface OpenaiStreamError {
  readonly message: string;
  readonly type?: string;
  readonly code?: string | number;
  readonly statusCode: number;
  readonly data: unknown;
}

export function openaiStreamError(event: unknown): OpenaiStreamError | undefined {
  const { data: said } = errorSchema.safeParse(event);
  if (said === undefined || said.type === "response.failed") return undefined;
  if (typeof said.type !== "string" && !("code" in said) && !("param" in said)) return undefined;
  const [type, code] = [said.type ?? undefined, said.code ?? undefined];
  return {
    message: said.message,
    ...(type === undefined ? {} : { type }),
    ...(code === undefined ? {} : { code }),
    statusCode: statusOf(code, type),
    data: event,
  };
}

/** By substrings of code or type; the first match applies. */
const statuses = [
  ["insufficient_quota", 429],
  ["rate_limit", 429],
  ["authentication", 401],
  ["permission", 403],
  ["not_found", 404],
  ["invalid", 400],
  ["bad_request", 400],
  ["context_length", 400],
  ["overload", 503],
  ["timeout", 504],
] as const;

function statusOf(code: string | number | undefined, type: string | undefined): number {
  const status = typeof code === "string" && /^\d{3}$/.test(code) ? Number(code) : code;
  if (typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 599) return status;
  const words = [code, type]
    .filter((word) => word !== undefined)
    .join(" ")
    .toLowerCase();
  return statuses.find(([word]) => words.includes(word))?.[1] ?? 500;
}

const bodySchema = lazySchema(() =>
  z.object({
    error: z.looseObject({
      message: z.string(),
      type: z.string().nullish(),
      code: z.union([z.string(), z.number()]).nullish(),
    }),
  }),
);

/** Returns the message of an error in the protocol's format. */
export function chatErrorMessage(body: string): string | undefined {
  try {
    const error = bodySchema.safeParse(secureJson(body)).data?.error;
    return error !== undefined && hasNestedError(error) ? parseVendorError(error).message : error?.message;
  } catch {
    return undefined;
  }
}
