import { secureJson } from "../json/secure-json.ts";
import type { ChatChunk } from "./chat-chunk.ts";
import type { ChatDialect } from "./chat-request.ts";
import { chunkSchema } from "./chunk-schemas.ts";
import { isPlainChunk } from "./plain-chunk.ts";

export type ReadChunk =
  | { readonly kind: "chunk"; readonly chunk: ChatChunk }
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "unreadable"; readonly message: string };

/** Reads the events of an endpoint's streams; what it makes for rare ones is kept with it. */
export class ChunkReader {
  readonly dialect: ChatDialect;
  #schema: ReturnType<typeof chunkSchema> | undefined;

  constructor(dialect: ChatDialect) {
    this.dialect = dialect;
  }

  /** @throws {RangeError} for what is nested so deeply that nobody can tell what it is. */
  read(data: string): ReadChunk {
    let value: unknown;
    try {
      value = secureJson(data);
    } catch (error) {
      return {
        kind: "unreadable",
        message: `JSON parsing failed: Text: ${data}.\nError message: ${String(error)}`,
      };
    }
    if (isPlainChunk(value, this.dialect)) return { kind: "chunk", chunk: value };
    this.#schema ??= chunkSchema(this.dialect);
    const read = this.#schema.safeParse(value);
    if (!read.success) {
      const said = `Value: ${JSON.stringify(value)}.\nError message: ${String(read.error)}`;
      return { kind: "unreadable", message: `Type validation failed: ${said}` };
    }
    return "error" in read.data ? { kind: "error", error: read.data.error } : { kind: "chunk", chunk: read.data };
  }
}
