import type { ReplyAmender } from "@incipit/ai-sdk-provider";
import { parsedJson } from "@incipit/model-endpoint";
import { countOf, errorIn, fieldsOf, listOf, saidError, textOf } from "@incipit/wire";

type Fields = Readonly<Record<string, unknown>>;

/**
 * The events of one reply as the package reads them. Servers leave lists out around what is alone, write names with underscores and
 * counts as texts, wrap each event, and end without a reason. The words for a blocked prompt
 * (https://ai.google.dev/api/generate-content#PromptFeedback) stand where the package reads those for a candidate.
 *
 * Without the token with which the package would ask for more by itself: one step is one request, that can be read back. The
 * reply is then over because it was too long, as the vendor says with it.
 * https://ai.google.dev/api/generate-content#FinishReason
 */
export class GeminiReplies implements ReplyAmender {
  #hasContent = false;
  #hasReason = false;
  /** Content followed a finish reason: the model sends one with each event, and only the end of the stream is the end. */
  #continuesPastReason = false;

  /** Its events have no last one. */
  get progress(): "open" | "whole" {
    return this.#hasReason && this.#hasContent && !this.#continuesPastReason ? "whole" : "open";
  }

  take(event: unknown): readonly unknown[] {
    const fields = unwrapped(camelKeys(fieldsOf(event)));
    const hasReply = "candidates" in fields || "usageMetadata" in fields || "promptFeedback" in fields;
    const error = hasReply && !("error" in fields) ? undefined : errorIn(fields);
    if (error !== undefined) return [errorEvent(error)];
    const usage = fields["usageMetadata"];
    // The package reads the words for a reply that was stopped, and not those for a prompt.
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

/** Whether a part is more than the empty text that may come with the end. */
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

/** Names as the vendor's JSON has them, of one object and nothing in it. */
function camelKeys(fields: Fields): Fields {
  if (!Object.keys(fields).some((key) => key.includes("_"))) return fields;
  const entries = Object.entries(fields).map(([key, value]) => [
    key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(entries);
}

function errorEvent(said: unknown): unknown {
  const { message, type, code } = saidError(said);
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
