import { definePoint, type ExtensionPoint } from "@incipit/kernel";
import type { ToolDefinition } from "./model-provider.ts";

export interface Tool extends ToolDefinition {
  /** Changes nothing, anywhere, whatever its input is. */
  readonly isReadOnly?: boolean;
  /**
   * Whether a call runs at once, after a person allowed it, or never. Absent: `allow` for a tool that is read-only, else
   * `ask`.
   */
  readonly approval?: "allow" | "ask" | "deny";
  /** `input` is parsed JSON, not yet checked. A throw becomes an error result for the model. */
  execute(
    input: unknown,
    context: { readonly conversationId: string; readonly cwd: string; readonly signal: AbortSignal },
  ): Promise<string>;
}

export const toolsPoint: ExtensionPoint<Tool> = definePoint("tools@1", ({ name }) => name);
