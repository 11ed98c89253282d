import { sha256Hex } from "@incipit/common";
import type { Storage } from "@incipit/kernel";
import {
  deferredServerSchema,
  lazySchema,
  sha256Schema,
  type DeferredServer,
  type ToolDefinition,
} from "@incipit/schema";
import * as z from "zod";
import { keys } from "./stored.ts";

/** Accepted by every vendor. */
export const toolNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/** Returns the original object: rebuilding it could lose keys or their order. */
const inputSchemaSchema = z.custom<ToolDefinition["inputSchema"]>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  "is not a JSON Schema of an object",
);

export const toolDefinitionSchema: z.ZodType<ToolDefinition> = lazySchema(() =>
  z.object({
    name: z
      .string()
      .regex(toolNamePattern, "is not a name that every vendor accepts: up to 64 letters, digits, _ and -"),
    description: z.string(),
    inputSchema: inputSchemaSchema,
  }),
);

export interface ToolList {
  readonly sha256: string;
  /** With the original key order; with deferred tools, an object with the definitions and the deferred range. */
  readonly text: string;
  readonly tools: readonly ToolDefinition[];
  /** `sha256` identifies the list (`readDeferredTools`). */
  readonly deferred: DeferredRange | undefined;
}

export interface DeferredRange {
  readonly sha256: string;
  readonly servers: readonly DeferredServer[];
}

const definitionsSchema = lazySchema(() => z.array(toolDefinitionSchema));
const dividedSchema = lazySchema(() =>
  z.object({
    tools: definitionsSchema,
    deferred: z.object({ sha256: sha256Schema, servers: z.array(deferredServerSchema) }),
  }),
);

export function dividedText(tools: string, { sha256, servers }: DeferredRange): string {
  return `{"tools":${tools},"deferred":${JSON.stringify({ sha256, servers })}}`;
}

/** Requests before and after a restart are built from the same text. */
export function toolListOf(text: string): ToolList {
  const sha256 = sha256Hex(text);
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) return { sha256, text, tools: definitionsSchema.parse(value), deferred: undefined };
  return { sha256, text, ...dividedSchema.parse(value) };
}

export async function readToolList(storage: Storage, sha256: string): Promise<ToolList | undefined> {
  const { data: text } = z.string().safeParse(await storage.get(keys.toolList(sha256), z.unknown()));
  return text !== undefined && sha256Hex(text) === sha256 ? toolListOf(text) : undefined;
}

export class ToolLists {
  readonly #storage: Storage;
  #newest: ToolList | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  get length(): number {
    return this.#newest?.text.length ?? 0;
  }

  async read(sha256: string): Promise<ToolList | undefined> {
    if (this.#newest?.sha256 !== sha256) this.#newest = await readToolList(this.#storage, sha256);
    return this.#newest;
  }

  remember(list: ToolList): void {
    this.#newest = list;
  }
}
