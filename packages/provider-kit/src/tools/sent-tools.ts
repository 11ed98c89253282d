import type { JsonObject, ToolDefinition } from "@incipit/schema";
import type { FoundTools, DeferredTools, ModelRequest } from "@incipit/service-contract";
import type { EndpointVendor } from "../vendor/endpoint-vendor.ts";
import { sendableSchema } from "./sendable-schema.ts";

/**
 * Converts schemas when sending; stored definitions do not change. Equal definitions and lists give identical objects
 * and bytes.
 *
 * - All vendors require the object type, which authors may omit: "schema must be a JSON Schema of 'type: "object"'",
 * "input_schema.type: Field required".
 * - Tools that the vendor still rejects are omitted, because they would break every request. Search results can
 * describe them as text.
 */
export class SentTools {
  readonly #vendor: Pick<EndpointVendor, "toToolSchema" | "refusesTool">;
  readonly #tools = new WeakMap<ToolDefinition, ToolDefinition>();
  readonly #lists = new WeakMap<readonly ToolDefinition[], Map<string, readonly ToolDefinition[]>>();

  constructor(vendor: Pick<EndpointVendor, "toToolSchema" | "refusesTool">) {
    this.#vendor = vendor;
  }

  /** Returns the request itself if no tool changes. */
  of(request: ModelRequest): ModelRequest {
    const { model, tools, lookedUp } = request;
    const sent = this.#list(tools, model);
    if (lookedUp !== undefined) return { ...request, tools: sent, lookedUp: this.#lookedUp(lookedUp, model) };
    return sent === tools ? request : { ...request, tools: sent };
  }

  #lookedUp({ named, found }: DeferredTools, model: string): DeferredTools {
    const results = [...found].map(([id, result]): [string, FoundTools] => [
      id,
      { ...result, tools: this.#adapted(result.tools) },
    ]);
    return { named: this.#list(named, model), found: new Map(results) };
  }

  #list(tools: readonly ToolDefinition[], model: string): readonly ToolDefinition[] {
    const ofModels = this.#lists.get(tools) ?? new Map<string, readonly ToolDefinition[]>();
    const known = ofModels.get(model);
    if (known !== undefined) return known;
    const accepted = tools.filter((tool) => this.#vendor.refusesTool?.({ model, tool }) === undefined);
    const list = this.#adapted(accepted.length === tools.length ? tools : accepted);
    this.#lists.set(tools, ofModels.set(model, list));
    return list;
  }

  #adapted(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
    const sent = tools.map((tool) => this.#tool(tool));
    return sent.every((tool, index) => tool === tools[index]) ? tools : sent;
  }

  #tool(tool: ToolDefinition): ToolDefinition {
    const { inputSchema: written } = tool;
    const known = this.#tools.get(tool);
    if (known !== undefined) return known;
    const plain = sendableSchema(written);
    const object: JsonObject = plain["type"] === undefined ? { ...plain, type: "object" } : plain;
    const inputSchema = this.#vendor.toToolSchema?.(object) ?? object;
    const sent = inputSchema === written ? tool : { ...tool, inputSchema };
    this.#tools.set(tool, sent);
    return sent;
  }
}
