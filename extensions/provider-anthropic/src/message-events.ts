import type { ReplyConverter } from "@incipit/provider-kit/ai-sdk";
import { jsonObject, parsedJson } from "@incipit/provider-kit";
import { countOf, errorIn, fieldsOf, listOf, parseVendorError, textOf } from "@incipit/wire";

type Fields = Readonly<Record<string, unknown>>;

/** The API may add others at any time: https://platform.claude.com/docs/en/api/versioning */
const eventTypes = new Set([
  "message_start",
  "message_delta",
  "message_stop",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
]);
const deltaTypes = new Set([
  "text_delta",
  "thinking_delta",
  "signature_delta",
  "input_json_delta",
  "citations_delta",
]);
const blockTypes =
  /^(?:text|thinking|redacted_thinking|compaction|tool_use|server_tool_use|mcp_tool_use|\w+_tool_result)$/;

/** Stands for a count that was not reported, where the AI SDK requires a number. */
const unreported = -1;

interface OpenBlock {
  readonly type: string;
  input: string;
}

/**
 * The package fails on unknown events or blocks, missing usage and a second start, and never ends without an end
 * event. Compatible servers send all of these.
 */
export class MessageEvents implements ReplyConverter {
  readonly #open = new Map<number, OpenBlock>();
  #lastIndex = -1;
  #usage: Fields = { output_tokens: unreported };
  #hasStarted = false;
  #hasContent = false;
  #hasCall = false;
  #reason: string | undefined;
  #hasStopped = false;

  get progress(): "open" | "whole" | "ended" {
    if (this.#hasStopped) return "ended";
    return this.#reason === undefined ? "open" : "whole";
  }

  take(event: unknown): readonly unknown[] {
    const fields = fieldsOf(event);
    const type = textOf(fields["type"]);
    if (type === "message" && Array.isArray(fields["content"])) return this.#whole(fields);
    if (type === undefined || !eventTypes.has(type)) {
      const error = type === "ping" ? undefined : errorIn(event);
      if (error !== undefined) return [errorEvent(error)];
      return type === "ping" ? [event] : [];
    }
    if (this.#hasStopped) return [];
    switch (type) {
      case "message_start":
        return this.#start(fields);
      case "content_block_start":
        return this.#blockStart(fields);
      case "content_block_delta":
        return this.#blockDelta(fields);
      case "content_block_stop":
        return this.#blockStop(fields);
      case "message_delta":
        return this.#messageDelta(fields);
      default:
        return this.#stop();
    }
  }

  /** Ends the message. A stop reason suffices, even if the last event is missing. */
  end(isDone: boolean): readonly unknown[] {
    if (this.#hasStopped || !this.#hasContent) return [];
    return this.#reason !== undefined || isDone ? this.#stop() : [];
  }

  error(message: string): unknown {
    return errorEvent(message);
  }

  #start(fields: Fields): readonly unknown[] {
    if (this.#hasStarted) return [];
    this.#hasStarted = true;
    const message = fieldsOf(fields["message"]);
    const given = fieldsOf(message["usage"]);
    const usage = { ...given, input_tokens: countOf(given["input_tokens"]) ?? unreported };
    const content = listOf(message["content"]).filter((block) => fieldsOf(block)["type"] === "tool_use");
    return [{ ...fields, message: { ...message, content, usage } }];
  }

  #blockStart(fields: Fields): readonly unknown[] {
    const block = fieldsOf(fields["content_block"]);
    const type = textOf(block["type"]) ?? "";
    const index = countOf(fields["index"]) ?? this.#lastIndex + 1;
    if (!blockTypes.test(type)) return [];
    this.#hasContent ||= type !== "compaction";
    this.#hasCall ||= type === "tool_use";
    this.#open.set(index, { type, input: "" });
    this.#lastIndex = index;
    const start = { ...fields, type: "content_block_start", index };
    if (type === "text" || type === "thinking") {
      const said = textOf(block[type]) ?? "";
      const opened = { ...start, content_block: { ...block, [type]: "" } };
      return said === "" ? [opened] : [opened, deltaOf(index, { type: `${type}_delta`, [type]: said })];
    }
    if (type !== "tool_use") return [{ ...start, content_block: block }];
    const { id = `toolu_${index}`, input } = block;
    const parsed = typeof input === "string" ? parsedJson(input) : input;
    return [{ ...start, content_block: { ...block, id, input: parsed ?? {} } }];
  }

  #blockDelta(fields: Fields): readonly unknown[] {
    const delta = fieldsOf(fields["delta"]);
    const type = textOf(delta["type"]) ?? "";
    if (!deltaTypes.has(type)) return [];
    const index = countOf(fields["index"]) ?? Math.max(this.#lastIndex, 0);
    const changed = { ...fields, index, delta };
    const open = this.#open.get(index);
    if (open !== undefined) {
      open.input += textOf(delta["partial_json"]) ?? "";
      return [changed];
    }
    const kind = type === "text_delta" ? "text" : type === "thinking_delta" ? "thinking" : undefined;
    if (kind === undefined) return [];
    return [...this.#blockStart({ index, content_block: { type: kind } }), changed];
  }

  #blockStop(fields: Fields): readonly unknown[] {
    const index = countOf(fields["index"]) ?? Math.max(this.#lastIndex, 0);
    if (!this.#open.delete(index)) return [];
    return [{ ...fields, index }];
  }

  #messageDelta(fields: Fields): readonly unknown[] {
    const delta = fieldsOf(fields["delta"]);
    const reason = textOf(delta["stop_reason"]) ?? textOf(fields["stop_reason"]);
    if (reason !== undefined && reason !== "") this.#reason = reason;
    const given = fieldsOf(fields["usage"]);
    // Counts are cumulative; later events may omit them.
    const outputTokens = countOf(given["output_tokens"]) ?? this.#usage["output_tokens"];
    this.#usage = { ...this.#usage, ...given, output_tokens: outputTokens };
    const changed = { ...fields, delta: { ...delta, stop_reason: this.#reason ?? null }, usage: this.#usage };
    return [...(this.#reason === undefined ? [] : this.#closed()), changed];
  }

  #stop(): readonly unknown[] {
    const closed = this.#closed();
    this.#hasStopped = true;
    const stop = { type: "message_stop" };
    if (this.#reason !== undefined || !this.#hasContent) return [...closed, stop];
    const delta = { stop_reason: this.#hasCall ? "tool_use" : "end_turn" };
    return [...closed, { type: "message_delta", delta, usage: this.#usage }, stop];
  }

  #closed(): readonly unknown[] {
    const whole = [...this.#open].filter(
      ([, { type, input }]) => type !== "tool_use" || jsonObject(input) !== undefined,
    );
    for (const [index] of whole) this.#open.delete(index);
    return whole.map(([index]) => ({ type: "content_block_stop", index }));
  }

  #whole(message: Fields): readonly unknown[] {
    const { content, stop_reason: reason, stop_sequence, usage } = message;
    return [
      ...this.#start({ type: "message_start", message: { ...message, content: [], stop_reason: null } }),
      ...listOf(content).flatMap((block, index) => [
        ...this.#blockStart({ index, content_block: block }),
        ...this.#blockStop({ type: "content_block_stop", index }),
      ]),
      ...this.#messageDelta({ type: "message_delta", delta: { stop_reason: reason, stop_sequence }, usage }),
      ...this.#stop(),
    ];
  }
}

function deltaOf(index: number, delta: object): object {
  return { type: "content_block_delta", index, delta };
}

function errorEvent(said: unknown): unknown {
  const inner = fieldsOf(said)["type"] === "error" ? (fieldsOf(said)["error"] ?? said) : said;
  const { message, type, code } = parseVendorError(inner);
  return {
    type: "error",
    error: { ...fieldsOf(inner), message, type: type ?? (code === undefined ? "" : String(code)) },
  };
}
