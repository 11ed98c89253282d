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
import { sha256Of } from "./sha256.ts";

/** What every vendor takes. */
export const toolNamePattern = /^[a-zA-Z0-9_-]{1,64}$/;

/** Gives back the very object: a schema that rebuilt it could lose a key, or their order. */
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

/** The definitions that a conversation sends for a whole epoch. */
export interface ToolList {
  /** Hash of `text`. */
  readonly sha256: string;
  /**
   * JSON of the definitions; each key stands where it stood when they were asked for. Where tools are looked up, it is an object
   * with the definitions and with what those are.
   */
  readonly text: string;
  /** What requests name. */
  readonly tools: readonly ToolDefinition[];
  /** What is looked up: `sha256` names it (`readDeferredTools`). */
  readonly deferred: DeferredRange | undefined;
}

export interface DeferredRange {
  readonly sha256: string;
  /** By name. */
  readonly servers: readonly DeferredServer[];
}

const definitionsSchema = lazySchema(() => z.array(toolDefinitionSchema));
const dividedSchema = lazySchema(() =>
  z.object({
    tools: definitionsSchema,
    deferred: z.object({ sha256: sha256Schema, servers: z.array(deferredServerSchema) }),
  }),
);

/** The text of a list some of whose tools are looked up. @param tools JSON of the definitions of the others. */
export function dividedText(tools: string, { sha256, servers }: DeferredRange): string {
  return `{"tools":${tools},"deferred":${JSON.stringify({ sha256, servers })}}`;
}

/** A list as it will be read: what is sent first is made from the same text as what is sent after a restart. */
export function toolListOf(text: string): ToolList {
  const sha256 = sha256Of(text);
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) return { sha256, text, tools: definitionsSchema.parse(value), deferred: undefined };
  return { sha256, text, ...dividedSchema.parse(value) };
}

/** `undefined`: it is not there, or is not what its hash says. */
export async function readToolList(storage: Storage, sha256: string): Promise<ToolList | undefined> {
  const { data: text } = z.string().safeParse(await storage.get(keys.toolList(sha256), z.unknown()));
  return text !== undefined && sha256Of(text) === sha256 ? toolListOf(text) : undefined;
}

/** The list that an epoch sends, read once. */
export class ToolLists {
  readonly #storage: Storage;
  #newest: ToolList | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** About what it holds in memory, in UTF-16 units. */
  get length(): number {
    return this.#newest?.text.length ?? 0;
  }

  /** `undefined`: it is not there, or is not what its hash says. */
  async read(sha256: string): Promise<ToolList | undefined> {
    if (this.#newest?.sha256 !== sha256) this.#newest = await readToolList(this.#storage, sha256);
    return this.#newest;
  }

  /** Remembers one that is stored. */
  remember(list: ToolList): void {
    this.#newest = list;
  }
}
