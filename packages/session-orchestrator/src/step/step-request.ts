import type { Explain, ModelMessage, ModelSettings, Step, ToolDefinition, TurnId } from "@incipit/schema";
import type { SentRequest } from "../audit/step-audit.ts";
import type { FoundModel } from "../models/find-model.ts";
import type { DeferredRange } from "../store/tool-list.ts";

/** What a step sends, and to whom. */
export interface StepRequest {
  readonly turnId: TurnId;
  readonly purpose: Step["purpose"];
  readonly found: FoundModel;
  /** Absolute. */
  readonly cwd: string;
  /** PROVIDER/MODEL. */
  readonly model: string;
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  /** What the model looks up beside them; `undefined`: nothing. */
  readonly deferred: DeferredRange | undefined;
  readonly settings?: ModelSettings;
  /** What the user asked of the summary; only a compaction has it. */
  readonly compactionInstructions?: string;
  readonly audit: Pick<SentRequest, "requestTierSha256" | "isBuilderAbsent"> & {
    /** How the prompt came about that this turn's takes the place of. */
    readonly promptBefore?: Explain | undefined;
  };
  readonly signal: AbortSignal;
}
