import type { Activate, Host } from "@incipit/kernel";
import type { PromptReason } from "@incipit/schema";
import { BuiltPrompts } from "./built-prompts.ts";
import { systemPromptHandle } from "./system-prompt.ts";

/** Context of a prompt construction. */
export interface PromptBuildContext {
  /** `undefined` for a preview of a new conversation, or a call without a conversation. */
  readonly conversationId: string | undefined;
  /** Absolute. */
  readonly cwd: string;
  /** PROVIDER/MODEL; `undefined` if unknown. */
  readonly model: string | undefined;
  readonly profile: string | undefined;
  readonly reason: PromptReason | undefined;
  /** Template stored by `PUT /system-prompt`, or a draft in preview, if any. */
  readonly template: string | undefined;
  readonly signal: AbortSignal;
}

/** A part of a prompt; `name` is its origin in explain output. */
export type PromptPiece = string | { readonly name: string; readonly text: string };

export interface PromptBuilder {
  /**
   * Returns the prompt, or its pieces, which are concatenated without a separator. `""`: no system field is sent.
   *
   * Called for a construction or a preview, not on each turn: the result is stored and reused byte for byte. A turn
   * fails if this throws, takes longer than 30 s, or returns more than 1 MiB.
   */
  readonly build: (
    context: PromptBuildContext,
  ) => string | readonly PromptPiece[] | Promise<string | readonly PromptPiece[]>;
}

/**
 * Returns an `activate` function for `defineExtension` that provides `system-prompt@1` with the given build
 * function. It stores each conversation's prompt, copies it for forks, exports and imports it, explains and
 * previews it, and applies the system messages of a call. The manifest must provide `system-prompt@1` and declare
 * `capabilities.storage`.
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
