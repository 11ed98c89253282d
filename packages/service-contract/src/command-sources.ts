import { definePoint, type ExtensionPoint } from "@incipit/kernel";
import type { CommandCall, FilePart } from "@incipit/schema";

/** A command whose message is made by somebody else when it is sent. */
export interface OfferedCommand {
  /** Letters, digits, `_` and `-`, at most 64, the first one a letter or a digit. A file with this name wins. */
  readonly name: string;
  /** `null`: it does not say. */
  readonly description: string | null;
  /** What it is given, in words for people; `null`: nothing. */
  readonly argumentHint: string | null;
  /** What people read of it in the place of its text, such as its arguments one by one. */
  readonly body: string;
}

export interface CommandSourceAnswer {
  readonly commands: readonly OfferedCommand[];
  /** What is missing, and why; the list goes on without it. */
  readonly problems: readonly string[];
}

/** The message that an offered command stands for. Nothing in it is looked at again. */
export interface OfferedMessage {
  /** Says where in it each file belongs. */
  readonly text: string;
  readonly files: readonly Pick<FilePart, "mediaType" | "data">[];
}

/** Commands that have to be asked for, such as the prompts of a server. People send them; models are not told of them. */
export interface CommandSource {
  /** Unique among sources; such as `mcp`. */
  readonly id: string;
  /**
   * The commands that it has now, those of a source that is not running after it was started. Whoever asks has not said which
   * folder it works in: nothing is started there. Rejects with the reason when it cannot say; one that is late is left out.
   */
  commands(options: {
    /** The command that a person sends; only that is needed, and there is more time for it. Absent: a list is made. */
    readonly call?: string;
    readonly signal: AbortSignal;
  }): Promise<CommandSourceAnswer>;
  /**
   * @throws {ServiceError} `COMMAND_UNKNOWN`; `INVALID_REQUEST` that names the arguments that are missing; `COMMAND_FAILED`.
   */
  expand(
    call: CommandCall,
    options: {
      /** Absolute. */
      readonly cwd: string;
      /** An export has chosen the folder: nothing is started in it. */
      readonly isImported?: boolean;
      readonly signal: AbortSignal;
    },
  ): Promise<OfferedMessage>;
}

export const commandSourcesPoint: ExtensionPoint<CommandSource> = definePoint<CommandSource>("command-sources@1", {
  key: "id",
  members: {
    id: "string",
    commands: "function",
    expand: "function",
  },
});
