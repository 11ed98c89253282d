import { fieldsOf } from "../json/fields.ts";
import { secureJson } from "../json/secure-json.ts";

/** What a server said of an error, in whichever shape. */
export interface SaidError {
  readonly message: string;
  readonly type?: string;
  readonly code?: string | number;
}

/** Where servers put the words of an error, the likeliest first: OpenAI's, FastAPI's, those of gateways and of older APIs. */
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
/** Deeper than any of them. */
const maxDepth = 4;
/** In UTF-16 units, of an error that has no words. */
const maxJsonLength = 400;

/** The words of an error and its names, from a value that is known to be one: a text, an object, or a list of these. */
export function saidError(error: unknown): SaidError {
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
 * The error that a JSON value tells of where a part of a reply is expected: `{"error": …}` with anything in it, `{"detail": …}`,
 * `{"object": "error", "message": …}`, a list of one of these. `undefined`: it tells of none.
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

/** Whether an error says nothing, and has the words of another server with it. */
export function hidesWords(error: unknown): boolean {
  return hiddenWords(error) !== undefined;
}

/** OpenRouter's: `{ message: "Provider returned error", metadata: { raw } }`, the raw ones JSON or not. */
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

/** Words of an event that has a type of its own, which names no failure: vendors add such events at any time. */
function isNotice({ type, code, status }: Readonly<Record<string, unknown>>): boolean {
  if (typeof type !== "string" || type === "" || isNamed(code) || isNamed(status)) return false;
  return !/error|exception|fail|invalid|denied|refus|reject|limit|exceed|overload|unavailable|timeout|abort|cancel/i.test(
    type,
  );
}

function isNamedError({ type, object, status, success }: Readonly<Record<string, unknown>>): boolean {
  return type === "error" || object === "error" || status === "error" || success === false;
}

/** Some servers send the field with each event, empty. */
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
