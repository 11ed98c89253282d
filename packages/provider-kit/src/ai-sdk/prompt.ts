import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput as ToolOutput,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import { callIdFor } from "../requests/call-id.ts";
import { jsonObject, wellFormedJson } from "../requests/json-object.ts";
import type { MessagePart, ModelMessage, ToolDefinition } from "@incipit/schema";
import type { ModelRequest } from "@incipit/service-contract";
import { toProviderOptions } from "./vendor-metadata.ts";
import type { SearchResult, Vendor } from "./vendor.ts";

type Content<Role extends LanguageModelV4Message["role"]> = Extract<
  LanguageModelV4Message,
  { readonly role: Role }
>["content"];

export interface PromptOptions {
  readonly systemPrompt: readonly string[];
  readonly messages: readonly ModelMessage[];
  readonly toolInput: Vendor["toolInput"];
  readonly callIds: Vendor["callIds"];
  readonly partOptions: ReadonlyMap<MessagePart, SharedV4ProviderOptions>;
  /** `undefined`, and the default, is text. */
  readonly searchResult?: (toolCallId: string) => SearchResult | undefined;
  /** Reasoning of the message is sent back to the model. */
  readonly takesReasoning: (message: ModelMessage) => boolean;
}

/** One system message per system text comes first. */
export function toPrompt({ systemPrompt, messages, ...options }: PromptOptions): LanguageModelV4Prompt {
  return [
    ...systemPrompt.map((content) => ({ role: "system", content }) as const),
    ...messages.map((message) => toMessage(message, options)),
  ];
}

function toMessage(
  message: ModelMessage,
  {
    toolInput,
    callIds,
    partOptions,
    searchResult,
    takesReasoning,
  }: Omit<PromptOptions, "systemPrompt" | "messages">,
): LanguageModelV4Message {
  const optionsOf = (
    part: MessagePart,
    more: SharedV4ProviderOptions = {},
  ): { readonly providerOptions?: SharedV4ProviderOptions } => {
    const metadata = "metadata" in part ? part.metadata : undefined;
    const said = merged(metadata === undefined ? {} : toProviderOptions(metadata), more);
    const options = merged(said, partOptions.get(part) ?? {});
    return Object.keys(options).length === 0 ? {} : { providerOptions: options };
  };
  switch (message.role) {
    case "user":
      return {
        role: "user",
        content: message.parts.flatMap((part): Content<"user"> => {
          if (part.type === "text") return [{ type: "text", text: part.text, ...optionsOf(part) }];
          if (part.type !== "file") return [];
          const { mediaType, data, filename } = part;
          const name = filename === undefined ? {} : { filename };
          return [{ type: "file", mediaType, data: { type: "data", data }, ...name, ...optionsOf(part) }];
        }),
      };
    case "assistant":
      return {
        role: "assistant",
        content: message.parts.flatMap((part): Content<"assistant"> => {
          if (part.type === "file" || part.type === "tool-result") return [];
          if (part.type === "reasoning" && !takesReasoning(message)) return [];
          const vendor = optionsOf(part);
          if (part.type !== "tool-call") return [{ type: part.type, text: part.text, ...vendor }];
          const toolName = nameFor(part.name);
          const toolCallId = callIdFor(callIds, part.toolCallId);
          const input = toolInput === "text" ? part.input : wellFormedJson(jsonObject(part.input) ?? {});
          return [{ type: "tool-call", toolCallId, toolName, input, ...vendor }];
        }),
      };
    case "tool":
      return {
        role: "tool",
        content: message.parts.flatMap((part) => {
          if (part.type !== "tool-result") return [];
          const { output, providerOptions } = searchResult?.(part.toolCallId) ?? { output: toOutput(part) };
          const toolName = nameFor(part.name);
          const toolCallId = callIdFor(callIds, part.toolCallId);
          return [
            { type: "tool-result", toolCallId, toolName, output, ...optionsOf(part, providerOptions) } as const,
          ];
        }),
      };
  }
}

function toOutput({ output, isError, files }: Extract<MessagePart, { type: "tool-result" }>): ToolOutput {
  if (isError || files === undefined) return { type: isError ? "error-text" : "text", value: output };
  const value = files.map(({ mediaType, data }) => ({
    type: "file" as const,
    mediaType,
    data: { type: "data" as const, data },
  }));
  return { type: "content", value: [{ type: "text", text: output }, ...value] };
}

/**
 * Packages look up names in plain objects and would send inherited properties for `constructor` or `toString`, which
 * vendors reject in every later request.
 */
function nameFor(name: string): string {
  return name in Object.prototype ? `${name}_` : name;
}

function merged(said: SharedV4ProviderOptions, added: SharedV4ProviderOptions): SharedV4ProviderOptions {
  const both = Object.entries(added).map(([vendor, values]) => [vendor, { ...said[vendor], ...values }] as const);
  return { ...said, ...Object.fromEntries(both) };
}

/** In the order of the calls in `toPrompt`. */
export function toolInputs(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap(({ role, parts }) =>
    role === "assistant" ? parts.flatMap((part) => (part.type === "tool-call" ? [part.input] : [])) : [],
  );
}

/** Returns only the chosen tools, for a vendor without a choice among tools. */
export function allowedTools({
  tools,
  settings,
}: Pick<ModelRequest, "tools" | "settings">): readonly ToolDefinition[] {
  const choice = settings?.toolChoice;
  if (typeof choice !== "object" || !("allowed" in choice)) return tools;
  return tools.filter(({ name }) => choice.allowed.includes(name));
}

/** `lookedUp`: deferred tools among them. */
export function toTools(
  tools: readonly ToolDefinition[],
  lookedUp: {
    readonly named: readonly ToolDefinition[];
    readonly options: SharedV4ProviderOptions | undefined;
  } = { named: [], options: undefined },
): LanguageModelV4FunctionTool[] {
  const { named, options } = lookedUp;
  const marks = options === undefined ? {} : { providerOptions: options };
  return [...tools.map((tool) => toTool(tool)), ...named.map((tool) => ({ ...toTool(tool), ...marks }))].toSorted(
    (a, b) => (a.name < b.name ? -1 : 1),
  );
}

function toTool({ name, description, inputSchema }: ToolDefinition): LanguageModelV4FunctionTool {
  return { type: "function", name, description, inputSchema: JSON.parse(JSON.stringify(inputSchema)) };
}
