import type { Storage } from "@incipit/kernel";
import { readDeferredTools, type DeferredTool } from "../store/deferred-tools.ts";
import { ToolIndex } from "./tool-index.ts";

/** Lists that are held in memory: conversations share them, and each may have many megabytes. */
const maxHeld = 2;

/** What is looked up, ready to be searched, for all conversations. */
export class DeferredLists {
  readonly #storage: Storage;
  /** By hash; the newest is the last. */
  readonly #held = new Map<string, Promise<ToolIndex | undefined>>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** `undefined`: it is not there, or is not what its hash says. */
  async read(sha256: string): Promise<ToolIndex | undefined> {
    const held = this.#held.get(sha256);
    const reading = held ?? readDeferredTools(this.#storage, sha256).then(indexOf);
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
}

async function indexOf(tools: readonly DeferredTool[] | undefined): Promise<ToolIndex | undefined> {
  return tools === undefined ? undefined : ToolIndex.of(tools);
}
