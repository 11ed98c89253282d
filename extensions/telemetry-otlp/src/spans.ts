import { sha256Hex } from "@incipit/common";
import type { Work } from "@incipit/service-contract";
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Tracer,
} from "@opentelemetry/api";
import { RandomIdGenerator, type IdGenerator } from "@opentelemetry/sdk-trace";
import { agentName, embeddingAttributes, known, modelCallAttributes, operationAttributes } from "./attributes.ts";
import { modelCallContent, toolCallContent } from "./content.ts";

/** Random, except for a turn, whose children are exported before it and refer to it. */
export class SpanIds implements IdGenerator {
  readonly #random = new RandomIdGenerator();
  next: { readonly traceId: string; readonly spanId: string } | undefined;

  generateTraceId(): string {
    return this.next?.traceId ?? this.#random.generateTraceId();
  }

  generateSpanId(): string {
    return this.next?.spanId ?? this.#random.generateSpanId();
  }
}

/** A turn is a trace that contains its model and tool calls. */
export class Spans {
  readonly #tracer: Tracer;
  readonly #ids: SpanIds;

  constructor(tracer: Tracer, ids: SpanIds) {
    this.#tracer = tracer;
    this.#ids = ids;
  }

  add(work: Work): void {
    const { name, kind, attributes } = describe(work);
    const context = work.type === "turn" || work.type === "embeddings" ? ROOT_CONTEXT : contextOf(work.turnId);
    this.#ids.next = work.type === "turn" ? idsOf(work.turnId) : undefined;
    const options = { kind, attributes, startTime: work.startedAtMs };
    const span = this.#tracer.startSpan(name, options, context);
    if (work.error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: work.error.message });
    span.end(work.endedAtMs);
  }
}

function describe(work: Work): { readonly name: string; readonly kind: SpanKind; readonly attributes: Attributes } {
  const operation = operationAttributes(work);
  switch (work.type) {
    case "turn": {
      const { conversationId, turnId, status } = work;
      const own = {
        "gen_ai.conversation.id": conversationId,
        "incipit.turn.id": turnId,
        "incipit.turn.status": status,
      };
      const attributes = { ...operation, ...own };
      return { name: `invoke_agent ${agentName(work)}`, kind: SpanKind.INTERNAL, attributes };
    }
    case "model-call": {
      const attributes = { ...modelCallAttributes(work), ...modelCallContent(work) };
      return { name: `chat ${work.model}`, kind: SpanKind.CLIENT, attributes };
    }
    case "embeddings":
      return { name: `embeddings ${work.model}`, kind: SpanKind.CLIENT, attributes: embeddingAttributes(work) };
    case "tool-call": {
      const { conversationId, toolCallId } = work;
      const own = known({
        "gen_ai.conversation.id": conversationId,
        "gen_ai.tool.call.id": toolCallId,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.description": work.description === "" ? null : work.description,
      });
      const attributes = { ...operation, ...own, ...toolCallContent(work) };
      return { name: `execute_tool ${work.name}`, kind: SpanKind.INTERNAL, attributes };
    }
  }
}

/** A turn id is a UUID and has the length of a trace id. */
function idsOf(turnId: string): { readonly traceId: string; readonly spanId: string } {
  const spanId = sha256Hex(turnId).slice(0, 16);
  return { traceId: turnId.replaceAll("-", ""), spanId };
}

function contextOf(turnId: string | null): Context {
  if (turnId === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { ...idsOf(turnId), traceFlags: TraceFlags.SAMPLED });
}
