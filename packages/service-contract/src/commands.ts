import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { Command, CommandCall, CommandList, ShownCommand } from "@incipit/schema";

interface FolderQuery {
  /** Absolute. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** The message that a command stands for. */
export interface ExpandedCommand {
  readonly command: Command;
  readonly text: string;
}

/** Messages that are written once, and sent by their names: those of the places that `skills@1` looks at, by the same rules. */
export interface CommandsService {
  /** @throws {ServiceError} `CWD_INVALID`. */
  list(query: FolderQuery): Promise<CommandList>;
  /** @throws {ServiceError} `COMMAND_UNKNOWN`, which names the nearest one; `CWD_INVALID`. */
  show(name: string, query: FolderQuery): Promise<ShownCommand>;
  /**
   * Puts the arguments in, once: what they hold is never looked at again.
   * @throws {ServiceError} `COMMAND_UNKNOWN`, `CWD_INVALID`; `INVALID_REQUEST` where nothing comes of it, or too much.
   */
  expand(call: CommandCall, query: FolderQuery): Promise<ExpandedCommand>;
}

export const commandsHandle: ServiceHandle<CommandsService> = defineHandle<CommandsService>("commands@1", {
  list: "function",
  show: "function",
  expand: "function",
});
