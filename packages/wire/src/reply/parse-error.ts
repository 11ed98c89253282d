import { fieldsOf } from "../json/fields.ts";
import { secureJson } from "../json/secure-json.ts";

export interface SaidError {
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

/** The actual message of another server is inside a generic one. */
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

/** Some servers send an empty field with each event. */
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
