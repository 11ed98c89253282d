import type { OmittedTool, ToolDefinition } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { findModel, type FoundModel } from "../models/find-model.ts";

export function omittedTools(
  { provider, name: model }: FoundModel,
  tools: readonly ToolDefinition[],
): readonly OmittedTool[] {
  return tools.flatMap((tool) => {
    const reason = provider.refusesTool?.({ model, tool });
    return reason === undefined ? [] : [{ name: tool.name, reason }];
  });
}

export function leftOutToolsOf(
  { providers }: Pick<OrchestratorContext, "providers">,
  { model, tools }: { readonly model: string; readonly tools: readonly ToolDefinition[] },
): readonly OmittedTool[] {
  try {
    return omittedTools(findModel(providers, model), tools);
  } catch (error) {
    if (ServiceError.is(error)) return [];
    throw error;
  }
}
