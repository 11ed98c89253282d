import type { Vendor } from "@incipit/ai-sdk-provider";
import type { ModelRequest } from "@incipit/service-contract";

type CallOptions = ReturnType<NonNullable<Vendor["callOptions"]>>;

/** With calls forbidden: the API rejects a history with calls but no tools. */
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
