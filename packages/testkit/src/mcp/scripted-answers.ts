import * as z from "zod";
import { lateMark, validMcpScript, type McpScript } from "./mcp-script.ts";

const requestSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.looseObject({ cursor: z.string().optional() }).optional(),
});

const unknownMethod = '{"jsonrpc":"2.0","id":$id,"error":{"code":-32601,"message":"Method not found"}}';

export class ScriptedAnswers {
  readonly #script: McpScript;
  #late: readonly string[] = [];
  #count = 0;

  constructor(script: McpScript) {
    this.#script = script;
  }

  /** @param line JSON. */
  take(line: string): readonly string[] {
    const { id, method, params } = requestSchema.parse(JSON.parse(line));
    if (id === undefined || method === undefined) return [];
    const { cursor } = params ?? {};
    const paged = cursor === undefined ? undefined : this.#script[`${method} ${cursor}`];
    const lines = paged ?? this.#script[method] ?? validMcpScript[method] ?? [unknownMethod];
    this.#count += 1;
    const own = lines.map((one) => one.replaceAll("$id", String(id)).replaceAll("$count", String(this.#count)));
    const late = this.#late;
    this.#late = own.filter((one) => one.startsWith(lateMark)).map((one) => one.slice(lateMark.length));
    return [...late, ...own.filter((one) => !one.startsWith(lateMark))];
  }
}
