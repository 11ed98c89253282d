import type { Explain, ModelMessage, ModelSettings, Step, ToolDefinition, TurnId } from "@incipit/schema";
import type { SentRequest } from "../audit/step-audit.ts";
import type { FoundModel } from "../models/find-model.ts";
import type { DeferredRange } from "../store/tool-list.ts";

export interface StepRequest {
  readonly turnId: TurnId;
  readonly purpose: Step["purpose"];
  readonly found: FoundModel;
  readonly cwd: string;
  readonly model: string;
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly deferred: DeferredRange | undefined;
  readonly settings?: ModelSettings;
  readonly compactionInstructions?: string;
  readonly audit: Pick<SentRequest, "requestTierSha256" | "isBuilderAbsent"> & {
    readonly promptBefore?: Explain | undefined;
  };
  readonly signal: AbortSignal;
}
