import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { Command, CommandCall, CommandList, FilePart, ShownCommand } from "@incipit/schema";

interface FolderQuery {
  /** Absolute. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** The message that a command stands for. */
export interface ExpandedCommand {
  readonly command: Command;
  readonly text: string;
  /** What belongs to it, such as pictures; the text says where each has its place. Absent: none. */
  readonly files?: readonly FilePart[];
}

/**
 * Messages that are sent by their names: those that were written once, in the places that `skills@1` looks at and by the same
 * rules, and those that sources of commands offer.
 */
export interface CommandsService {
  /** A source that fails is a problem of the list. @throws {ServiceError} `CWD_INVALID`. */
  list(query: FolderQuery): Promise<CommandList>;
  /** @throws {ServiceError} `COMMAND_UNKNOWN`, which names the nearest one; `CWD_INVALID`. */
  show(name: string, query: FolderQuery): Promise<ShownCommand>;
  /**
   * Puts the arguments in, once: what they hold is never looked at again.
   * @throws {ServiceError} `COMMAND_UNKNOWN`, `CWD_INVALID`; `INVALID_REQUEST` where nothing comes of it, or too much, or an
   *   argument is missing; `COMMAND_FAILED` where whoever offers it cannot make its message.
   */
  expand(
    call: CommandCall,
    query: FolderQuery & {
      /** An export has chosen the folder, and nobody here: nothing is started in it. */
      readonly isImported?: boolean;
    },
  ): Promise<ExpandedCommand>;
}

export const commandsHandle: ServiceHandle<CommandsService> = defineHandle<CommandsService>("commands@1", {
  list: "function",
  show: "function",
  expand: "function",
});
