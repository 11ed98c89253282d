import type { AgentFolder } from "./agent-folders.ts";
import type { ParsedFile } from "./parsed-agent.ts";

export interface FoundFile {
  readonly folder: AgentFolder;
  readonly path: string;
  readonly sha256: string;
  readonly bytes: Uint8Array;
  /** Parses lazily, only once the file may be used. */
  readonly parsed: () => Promise<ParsedFile>;
  readonly parse: (text: string) => Promise<ParsedFile>;
}
