import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { Command, CommandCall, CommandList, FilePart, ShownCommand } from "@incipit/schema";

interface FolderQuery {
  /** Absolute. */
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** The message that a command expands to. */
export interface ExpandedCommand {
  readonly command: Command;
  readonly text: string;
  /** Attachments, such as pictures; the text marks their positions. */
  readonly files?: readonly FilePart[];
}

/** Slash commands: prompt files, found in the same places as skills (`skills@1`), and commands of sources. */
export interface CommandsService {
  /**
   * Lists commands. A source that fails is reported in `problems`.
   * @throws {ServiceError} `CWD_INVALID`.
   */
  list(query: FolderQuery): Promise<CommandList>;
  /** @throws {ServiceError} `COMMAND_UNKNOWN` with the nearest name; `CWD_INVALID`. */
  show(name: string, query: FolderQuery): Promise<ShownCommand>;
  /**
   * Substitutes the arguments in a single pass; placeholders inside argument values are not expanded.
   * @throws {ServiceError} `COMMAND_UNKNOWN`, `CWD_INVALID`; `INVALID_REQUEST` for an empty or too long result or a
   * missing argument; `COMMAND_FAILED` when a source fails.
   */
  expand(
    call: CommandCall,
    query: FolderQuery & {
      /** The folder comes from an imported conversation: start no process there. */
      readonly isImported?: boolean;
    },
  ): Promise<ExpandedCommand>;
}

export const commandsHandle: ServiceHandle<CommandsService> = defineHandle<CommandsService>("commands@1", {
  list: "function",
  show: "function",
  expand: "function",
});
