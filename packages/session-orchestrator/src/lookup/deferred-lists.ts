import type { DeferredTool } from "./deferred-tool.ts";
import { ToolIndex } from "./tool-index.ts";

/** Lists that are held in memory: conversations share them, and each may have many megabytes. */
const maxHeld = 2;

/** `undefined`: it is not there, or is not what its hash says. */
type ReadList = (sha256: string) => Promise<readonly DeferredTool[] | undefined>;

/** What is looked up, ready to be searched, for all conversations. */
export class DeferredLists {
  readonly #readList: ReadList;
  /** By hash; the newest is the last. */
  readonly #held = new Map<string, Promise<ToolIndex | undefined>>();

  constructor(readList: ReadList) {
    this.#readList = readList;
  }

  /** `undefined`: it is not there, or is not what its hash says. */
  async read(sha256: string): Promise<ToolIndex | undefined> {
    const reading = this.#held.get(sha256) ?? this.#readIndex(sha256);
    this.#held.delete(sha256);
    this.#held.set(sha256, reading);
    const [oldest] = this.#held.keys();
    if (this.#held.size > maxHeld && oldest !== undefined) this.#held.delete(oldest);
    try {
      const index = await reading;
      if (index === undefined) this.#held.delete(sha256);
      return index;
    } catch (error) {
      this.#held.delete(sha256);
      throw error;
    }
  }

  async #readIndex(sha256: string): Promise<ToolIndex | undefined> {
    const tools = await this.#readList(sha256);
    return tools === undefined ? undefined : ToolIndex.of(tools);
  }
}
