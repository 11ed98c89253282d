import type { JsonObject, ToolDefinition } from "@incipit/schema";
import type { FoundTools, LookedUpTools, ModelRequest } from "@incipit/service-contract";
import type { EndpointVendor } from "./endpoint-vendor.ts";
import { sendableSchema } from "./sendable-schema.ts";

/**
 * Tools of requests with their schemas as a vendor takes them: on the way to it alone, what is kept of them stays as it was.
 *
 * - Each vendor wants to be told that a tool takes an object: "schema must be a JSON Schema of 'type: "object"'", "input_schema.type:
 *   Field required". Whoever wrote a schema may have left that out.
 * - What none of them takes is told in words that they take: see `sendableSchema`.
 * - What one vendor wants beside it is its own `toToolSchema`.
 * - The same definition and the same list give the same objects, and the same bytes.
 */
export class SentTools {
  readonly #vendor: Pick<EndpointVendor, "toToolSchema">;
  readonly #tools = new WeakMap<ToolDefinition, ToolDefinition>();
  readonly #lists = new WeakMap<readonly ToolDefinition[], readonly ToolDefinition[]>();

  constructor(vendor: Pick<EndpointVendor, "toToolSchema">) {
    this.#vendor = vendor;
  }

  /** The request itself where its tools are taken as they are. */
  of(request: ModelRequest): ModelRequest {
    const { tools, lookedUp } = request;
    const sent = this.#list(tools);
    if (lookedUp !== undefined) return { ...request, tools: sent, lookedUp: this.#lookedUp(lookedUp) };
    return sent === tools ? request : { ...request, tools: sent };
  }

  #lookedUp({ named, found }: LookedUpTools): LookedUpTools {
    const results = [...found].map(([id, result]): [string, FoundTools] => [
      id,
      { ...result, tools: this.#list(result.tools) },
    ]);
    return { named: this.#list(named), found: new Map(results) };
  }

  #list(tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
    const known = this.#lists.get(tools);
    if (known !== undefined) return known;
    const sent = tools.map((tool) => this.#tool(tool));
    const list = sent.every((tool, index) => tool === tools[index]) ? tools : sent;
    this.#lists.set(tools, list);
    return list;
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
