import type { Activate, Host } from "@incipit/kernel";
import type { PromptReason } from "@incipit/schema";
import { BuiltPrompts } from "./built-prompts.ts";
import { systemPromptHandle } from "./system-prompt.ts";

/** What a prompt is built for. */
export interface PromptBuildContext {
  /** `undefined`: somebody looks at what a new conversation would be told, or it is a call without one. */
  readonly conversationId: string | undefined;
  /** Absolute. */
  readonly cwd: string;
  /** PROVIDER/MODEL; `undefined`: not known. */
  readonly model: string | undefined;
  readonly profile: string | undefined;
  readonly reason: PromptReason | undefined;
  /** What a person has stored with `PUT /system-prompt`, or is drafting; `undefined`: nothing. */
  readonly template: string | undefined;
  readonly signal: AbortSignal;
}

/** A piece of a prompt; `name` says in explain where it came from. */
export type PromptPiece = string | { readonly name: string; readonly text: string };

export interface PromptBuilder {
  /**
   * The text, or its pieces in order, which are put together as they are. `""`: no system field is sent. Called when a prompt
   * is constructed and when somebody looks at one, and not on each turn: what it gives is kept, byte for byte. A throw fails
   * the turn, as does what takes longer than 30 s or has more than 1 MiB.
   */
  readonly build: (
    context: PromptBuildContext,
  ) => string | readonly PromptPiece[] | Promise<string | readonly PromptPiece[]>;
}

/**
 * What `defineExtension` takes as `activate`: a whole `system-prompt@1`, of which you write what the text is. It keeps each
 * conversation's prompt, copies it for forks, exports and imports it, explains and previews it, and places the texts of a
 * call. The manifest provides `system-prompt@1` and has `capabilities.storage`.
 */
export function definePromptBuilder({ build }: PromptBuilder): Activate {
  return (host: Host) => {
    const storage = host.storage("prompts");
    host.provideService(
      systemPromptHandle,
      new BuiltPrompts({ build, storage, clock: host.clock, extension: host.id }),
    );
  };
}
