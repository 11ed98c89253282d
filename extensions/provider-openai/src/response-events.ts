import type { ReplyConverter } from "@incipit/provider-kit/ai-sdk";
import { jsonObject } from "@incipit/provider-kit";
import { countOf, errorIn, fieldsOf, listOf, parseVendorError, textOf } from "@incipit/wire";

type Fields = Readonly<Record<string, unknown>>;

interface OpenItem {
  readonly type: string;
  readonly id: string;
  readonly item: Fields;
  hasText: boolean;
  deltas: string;
  input: string | undefined;
  isDone: boolean;
}

const unexplained = { code: "server_error", message: "the response failed, and the vendor does not say why" };
const isChat = {
  type: "error",
  sequence_number: 0,
  code: "invalid_api",
  message: 'this endpoint uses chat completions: set api = "chat", or kind = "openai-compatible"',
};

/** Stands for a count that was not reported, where the AI SDK requires a number. */
const unreported = -1;

/** Matches events with annotations, which are removed: they are not displayed, and the AI SDK rejects those of xAI. */
const annotations = /"annotations"\s*:\s*\[\s*\{/;

/**
 * Repairs events of the Responses API for the AI SDK: items keep their first id and index, content that only comes at
 * the end becomes a delta, calls use their final arguments, and content found only in the final response is emitted.
 */
export class ResponseEvents implements ReplyConverter {
  readonly #items = new Map<number, OpenItem>();
  #lastIndex = -1;
  #hasEnded = false;

  get progress(): "open" | "ended" {
    return this.#hasEnded ? "ended" : "open";
  }

  take(event: unknown, data: string): readonly unknown[] {
    if (this.#hasEnded) return [];
    return this.#given(fieldsOf(annotations.test(data) ? withoutAnnotations(event) : event));
  }

  /** Completes all open items if the stream ended regularly without a final event. */
  end(isDone: boolean): readonly unknown[] {
    if (!isDone || this.#hasEnded || this.#items.size === 0) return [];
    return this.#ended({ type: "response.completed", response: {} });
  }

  error(message: string): unknown {
    return errorEvent(message);
  }

  #given(fields: Fields): readonly unknown[] {
    const type = textOf(fields["type"]) ?? "";
    if (fields["object"] === "chat.completion.chunk") return [isChat];
    if (type === "" && (fields["object"] === "response" || Array.isArray(fields["output"])))
      return this.#ended({ type: endType(fields), response: fields });
    if (!type.startsWith("response.")) return errorIn(fields) === undefined ? [] : [errorEvent(errorIn(fields))];
    switch (type) {
      case "response.created":
      case "response.in_progress":
        return isHead(fieldsOf(fields["response"])) ? [fields] : [];
      case "response.output_text.annotation.added":
        return [];
      case "response.output_item.added":
        return this.#added(fields);
      case "response.output_item.done":
        return this.#itemDone(fields);
      case "response.output_text.delta":
      case "response.refusal.delta":
        return this.#text(fields, textOf(fields["delta"]) ?? "");
      case "response.output_text.done":
        return this.#itemOf(fields, "message")?.hasText === true
          ? []
          : this.#text({ ...fields, type: "response.output_text.delta" }, textOf(fields["text"]) ?? "");
      case "response.function_call_arguments.delta":
        return this.#callText(fields);
      case "response.function_call_arguments.done": {
        const call = this.#itemOf(fields, "function_call");
        if (call !== undefined) call.input = inputOf(fields["arguments"]);
        return [];
      }
      case "response.completed":
      case "response.incomplete":
        return this.#ended(fields);
      case "response.failed":
        return this.#failed(fields);
      default:
        return [this.#placed(fields)];
    }
  }

  #added(fields: Fields): readonly unknown[] {
    const index = countOf(fields["output_index"]) ?? this.#lastIndex + 1;
    const { type = "", ...rest } = fieldsOf(fields["item"]);
    const known = String(type);
    const id = textOf(rest["id"]) ?? textOf(rest["call_id"]) ?? `item_${index}`;
    const isCall = known === "function_call";
    const item = {
      ...rest,
      type,
      id,
      ...(isCall ? { call_id: rest["call_id"] ?? id, arguments: inputOf(rest["arguments"]) ?? "" } : {}),
    };
    this.#lastIndex = index;
    this.#items.set(index, { type: known, id, item, hasText: false, deltas: "", input: undefined, isDone: false });
    return [{ ...fields, type: "response.output_item.added", output_index: index, item }];
  }

  #itemDone(fields: Fields): readonly unknown[] {
    const given = fieldsOf(fields["item"]);
    const type = textOf(given["type"]) ?? "";
    const before = this.#itemOf(fields, type);
    if (before?.isDone === true) return [];
    const added = before === undefined ? this.#added(fields) : [];
    const index = countOf(fields["output_index"]) ?? this.#lastIndex;
    const open = before ?? this.#items.get(index);
    if (open === undefined) return [];
    open.isDone = true;
    const done = { ...fields, type: "response.output_item.done", output_index: index };
    const item = { ...open.item, ...given, id: open.id };
    if (type === "function_call") {
      const input =
        inputOf(given["arguments"]) ?? open.input ?? (open.deltas || inputOf(open.item["arguments"])) ?? "";
      const call = {
        ...item,
        call_id: given["call_id"] ?? open.item["call_id"],
        arguments: input,
        status: "completed",
      };
      return [...added, { ...done, item: call }];
    }
    const text = type !== "message" || open.hasText ? "" : textIn(given["content"]);
    const delta = { type: "response.output_text.delta", output_index: index };
    return [...added, ...(text === "" ? [] : this.#text(delta, text)), { ...done, item }];
  }

  #text(fields: Fields, delta: string): readonly unknown[] {
    const before = this.#itemOf(fields, "message");
    const index = countOf(fields["output_index"]) ?? (before === undefined ? this.#lastIndex + 1 : this.#lastIndex);
    const item = { type: "message", id: fields["item_id"] };
    const added = before === undefined ? this.#added({ output_index: index, item }) : [];
    const open = before ?? this.#items.get(index);
    if (open === undefined) return [];
    open.hasText ||= delta !== "";
    return [...added, { ...fields, item_id: open.id, output_index: index, delta }];
  }

  #callText(fields: Fields): readonly unknown[] {
    const call = this.#itemOf(fields, "function_call");
    if (call === undefined) return [];
    const delta = textOf(fields["delta"]) ?? "";
    call.deltas += delta;
    return [this.#placed({ ...fields, delta })];
  }

  /** Returns the open item of an event, by its index: some servers use a new id for each event. */
  #itemOf(fields: Fields, type: string): OpenItem | undefined {
    const item = this.#items.get(countOf(fields["output_index"]) ?? this.#lastIndex);
    return item?.type === type ? item : undefined;
  }

  #placed(fields: Fields): Fields {
    const index = countOf(fields["output_index"]) ?? this.#lastIndex;
    const item = this.#items.get(index);
    if (item === undefined) return fields;
    const isSummary = textOf(fields["type"])?.startsWith("response.reasoning_summary") === true;
    return {
      ...fields,
      output_index: index,
      item_id: item.id,
      ...(isSummary ? { summary_index: countOf(fields["summary_index"]) ?? 0 } : {}),
    };
  }

  #ended(fields: Fields): readonly unknown[] {
    this.#hasEnded = true;
    const response = fieldsOf(fields["response"]);
    const { incomplete_details: details, usage, ...rest } = response;
    const why = textOf(fieldsOf(details)["reason"]);
    const items = [...this.#items.values()];
    const hasText = items.some((open) => open.hasText);
    const callIds = new Set(items.map(({ item }) => item["call_id"]));
    const unsaid = listOf(response["output"]).flatMap((item) => {
      const { type, call_id: callId } = fieldsOf(item);
      const isNew = type === "message" ? !hasText : type === "function_call" && !callIds.has(callId);
      return isNew ? this.#itemDone({ output_index: this.#lastIndex + 1, item }) : [];
    });
    return [
      ...unsaid,
      ...(why === undefined ? this.#closed() : []),
      {
        ...fields,
        response: {
          ...rest,
          ...(why === undefined ? {} : { incomplete_details: { reason: why } }),
          ...(typeof usage === "object" && usage !== null ? { usage: counted(fieldsOf(usage)) } : {}),
        },
      },
    ];
  }

  #closed(): readonly unknown[] {
    return [...this.#items].flatMap(([index, { type, item, input, deltas, isDone }]) => {
      const isWhole = jsonObject(input ?? deltas) !== undefined;
      return type === "function_call" && !isDone && isWhole
        ? this.#itemDone({ output_index: index, item: { ...item, arguments: input ?? deltas } })
        : [];
    });
  }

  #failed(fields: Fields): readonly unknown[] {
    this.#hasEnded = true;
    if (typeof fields["response"] !== "object") return [fields]; // The package reports the error.
    const response = fieldsOf(fields["response"]);
    const { error } = response;
    const said = error === undefined || error === null ? unexplained : named(error);
    const { sequence_number: number = 0 } = fields;
    return [{ ...fields, sequence_number: number, response: { ...response, error: said } }];
  }
}

function endType({ status }: Fields): string {
  if (status === "failed") return "response.failed";
  return status === "incomplete" ? "response.incomplete" : "response.completed";
}

function isHead({ id, created_at: createdAt, model }: Fields): boolean {
  return typeof id === "string" && typeof createdAt === "number" && typeof model === "string";
}

function inputOf(given: unknown): string | undefined {
  if (typeof given === "object" && given !== null) return JSON.stringify(given);
  return typeof given === "string" && given !== "" ? given : undefined;
}

function textIn(content: unknown): string {
  return listOf(content)
    .map((part) => (typeof part === "string" ? part : (textOf(fieldsOf(part)["text"]) ?? "")))
    .join("");
}

function counted(usage: Fields): Fields {
  return {
    ...usage,
    input_tokens: countOf(usage["input_tokens"]) ?? unreported,
    output_tokens: countOf(usage["output_tokens"]) ?? unreported,
  };
}

function named(error: unknown): { readonly message: string; readonly code: string | null } {
  const { message, type, code } = parseVendorError(error);
  return { message, code: code === undefined ? (type ?? null) : String(code) };
}

function errorEvent(said: unknown): unknown {
  const inner = fieldsOf(said)["type"] === "error" ? (fieldsOf(said)["error"] ?? said) : said;
  const { message, code } = named(inner);
  return { type: "error", sequence_number: 0, code: code === "error" ? null : code, message, param: null };
}

function withoutAnnotations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAnnotations);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, held]) => [
    key,
    key === "annotations" ? [] : withoutAnnotations(held),
  ]);
  return Object.fromEntries(fields);
}
