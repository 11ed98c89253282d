import type { AgentFolder } from "./agent-folders.ts";
import type { ParsedFile } from "./parsed-agent.ts";

/** A file of agents as it was read. */
export interface FoundFile {
  readonly folder: AgentFolder;
  /** Absolute, links resolved. */
  readonly path: string;
  /** The hash of its bytes, in lower-case hex. */
  readonly sha256: string;
  readonly bytes: Uint8Array;
  /** What it says; looked at only where it may be used. */
  readonly parsed: () => Promise<ParsedFile>;
  /** What it would say with another text. */
  readonly parse: (text: string) => Promise<ParsedFile>;
}
