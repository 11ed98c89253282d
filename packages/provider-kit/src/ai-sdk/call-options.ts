import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelSettings } from "@incipit/schema";

/** Packages ignore unsupported options. */
export function toCallOptions(settings: ModelSettings = {}): Omit<LanguageModelV4CallOptions, "prompt"> {
  // Each vendor has its own option for these.
  const {
    stopSequences,
    reasoningEffort,
    toolChoice,
    parallelToolCalls: _calls,
    responseFormat,
    vendorFields: _fields,
    ...numbers
  } = settings;
  return {
    ...numbers,
    ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
    ...(reasoningEffort === undefined ? {} : { reasoning: reasoningEffort }),
    ...(toolChoice === undefined ? {} : { toolChoice: toToolChoice(toolChoice) }),
    ...(responseFormat === undefined ? {} : { responseFormat: toResponseFormat(responseFormat) }),
  };
}

function toToolChoice(
  choice: NonNullable<ModelSettings["toolChoice"]>,
): NonNullable<LanguageModelV4CallOptions["toolChoice"]> {
  if (typeof choice === "string") return { type: choice };
  return "name" in choice ? { type: "tool", toolName: choice.name } : { type: choice.mode };
}

function toResponseFormat({
  name,
  schema,
}: NonNullable<ModelSettings["responseFormat"]>): NonNullable<LanguageModelV4CallOptions["responseFormat"]> {
  return {
    type: "json",
    ...(name === undefined ? {} : { name }),
    ...(schema === undefined ? {} : { schema: JSON.parse(JSON.stringify(schema)) }),
  };
}
