import type { Vendor } from "@incipit/ai-sdk-provider";
import type { ModelRequest } from "@incipit/service-contract";

type CallOptions = ReturnType<NonNullable<Vendor["callOptions"]>>;

/**
 * The API refuses a history with calls when the request has no tools: it gets those that were called, which the model may not
 * call. A request that has tools, or whose history has no calls, gets nothing.
 */
export function calledTools({ messages, tools }: Pick<ModelRequest, "messages" | "tools">): CallOptions {
  if (tools.length > 0) return {};
  const names = new Set(
    messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === "tool-call" ? [part.name] : []))),
  );
  if (names.size === 0) return {};
  return {
    tools: [...names].toSorted().map((name) => ({ type: "function", name, inputSchema: { type: "object" } })),
    toolChoice: { type: "none" },
  };
}
