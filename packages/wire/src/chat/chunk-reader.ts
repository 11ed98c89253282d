import { secureJson } from "../json/secure-json.ts";
import type { ChatChunk } from "./chat-chunk.ts";
import type { ChatDialect } from "./chat-request.ts";
import { lenientChunk } from "./lenient-chunk.ts";
import { isPlainChunk } from "./plain-chunk.ts";

export type ReadChunk =
  | { readonly kind: "chunk"; readonly chunk: ChatChunk }
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "nothing" }
  | { readonly kind: "unreadable"; readonly message: string };

/** In UTF-16 units, of invalid JSON. */
const maxShownLength = 120;

export class ChunkReader {
  readonly dialect: ChatDialect;

  constructor(dialect: ChatDialect) {
    this.dialect = dialect;
  }

  /** @throws {RangeError} for JSON nested too deeply. */
  read(data: string): ReadChunk {
    let value: unknown;
    try {
      value = secureJson(data);
    } catch (error) {
      if (!/^\s*[[{"]/.test(data)) return { kind: "words", text: data };
      const shown = JSON.stringify(data.length > maxShownLength ? `${data.slice(0, maxShownLength)}…` : data);
      return {
        kind: "unreadable",
        message: `an event of it cannot be read as JSON (${String(error)}): ${shown}`,
      };
    }
    return isPlainChunk(value, this.dialect) ? { kind: "chunk", chunk: value } : lenientChunk(value);
  }
}
