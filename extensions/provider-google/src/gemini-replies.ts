import type { ReplyConverter } from "@incipit/provider-kit/ai-sdk";
import { parsedJson } from "@incipit/provider-kit";
import { countOf, errorIn, fieldsOf, listOf, parseVendorError, textOf } from "@incipit/wire";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Adapts the events of one reply for the package. Servers omit lists around single items, write snake_case names
 * and string counts, wrap events, and end without a reason. The message for a blocked prompt
 * (https://ai.google.dev/api/generate-content#PromptFeedback) is copied to where the package reads a candidate's.
 * Removes the token with which the package would continue automatically: one step is one recorded request. The
 * reply then ends as too long, as the vendor reports. https://ai.google.dev/api/generate-content#FinishReason
 */
export class GeminiReplies implements ReplyConverter {
  #hasContent = false;
  #hasReason = false;
  /** Content followed a finish reason: the model sends one with each event, so only the end of the stream counts. */
  #continuesPastReason = false;

  get progress(): "open" | "whole" {
    return this.#hasReason && this.#hasContent && !this.#continuesPastReason ? "whole" : "open";
  }

  take(event: unknown): readonly unknown[] {
    const fields = unwrapped(camelKeys(fieldsOf(event)));
    const hasReply = "candidates" in fields || "usageMetadata" in fields || "promptFeedback" in fields;
    const error = hasReply && !("error" in fields) ? undefined : errorIn(fields);
    if (error !== undefined) return [errorEvent(error)];
    const usage = fields["usageMetadata"];
    const blocked = textOf(camelKeys(fieldsOf(fields["promptFeedback"]))["blockReasonMessage"]);
    const words = blocked === undefined ? {} : { finishMessage: blocked };
    const given =
      blocked !== undefined && listOf(fields["candidates"]).length === 0 ? [{}] : listOf(fields["candidates"]);
    const candidates = given.map((each) => ({ ...words, ...this.#candidate(camelKeys(fieldsOf(each))) }));
    const { error: _, ...rest } = fields;
    return [
      {
        ...rest,
        ...("candidates" in fields || blocked !== undefined ? { candidates } : {}),
        ...(usage === undefined ? {} : { usageMetadata: counted(fieldsOf(usage)) }),
      },
    ];
  }

  end(isDone: boolean): readonly unknown[] {
    if (!isDone || this.#hasReason || !this.#hasContent) return [];
    return [{ candidates: [{ finishReason: "STOP" }] }];
  }

  error(message: string): unknown {
    return errorEvent(message);
  }

  #candidate(candidate: Fields): Fields {
    const { continuationToken: _, content: given, ...rest } = candidate;
    const content = typeof given === "string" ? { parts: [{ text: given }] } : fieldsOf(given);
    const parts = listOf(content["parts"]).map((part) => toPart(part));
    this.#hasContent ||= parts.length > 0;
    this.#continuesPastReason ||= this.#hasReason && parts.some(hasOutput);
    this.#hasReason ||= typeof rest["finishReason"] === "string";
    return given === undefined || given === null ? rest : { ...rest, content: { ...content, parts } };
  }
}

function toPart(part: unknown): unknown {
  if (typeof part === "string") return { text: part };
  const fields = camelKeys(fieldsOf(part));
  const { functionCall, inlineData } = fields;
  if (inlineData !== undefined) return { ...fields, inlineData: camelKeys(fieldsOf(inlineData)) };
  if (functionCall === undefined) return fields;
  const call = fieldsOf(functionCall);
  const args = typeof call["args"] === "string" ? parsedJson(call["args"]) : undefined;
  return { ...fields, functionCall: args === undefined ? call : { ...call, args } };
}

function hasOutput(part: unknown): boolean {
  const { text, ...rest } = fieldsOf(part);
  return text === undefined ? Object.keys(rest).length > 0 : text !== "";
}

function unwrapped(fields: Fields): Fields {
  const inner = camelKeys(fieldsOf(fields["response"]));
  return "candidates" in inner || "usageMetadata" in inner ? inner : fields;
}

function counted(usage: Fields): Fields {
  const entries = Object.entries(camelKeys(usage)).map(([key, value]) => [
    key,
    key.endsWith("TokenCount") ? countOf(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function camelKeys(fields: Fields): Fields {
  if (!Object.keys(fields).some((key) => key.includes("_"))) return fields;
  const entries = Object.entries(fields).map(([key, value]) => [
    key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(entries);
}

function errorEvent(said: unknown): unknown {
  const { message, type, code } = parseVendorError(said);
  const status = fieldsOf(said)["status"];
  const name = [status, type, code].find((each) => typeof each === "string" && !/^\d+$/.test(each));
  const details = fieldsOf(said)["details"];
  return {
    error: {
      code: countOf(code) ?? null,
      message,
      status: name ?? "",
      ...(Array.isArray(details) ? { details } : {}),
    },
  };
}
