import type { AuditedStep, DifferenceReason, Step } from "@incipit/schema";

export function warningOf({ differenceReason, prefix, model }: Step): NonNullable<AuditedStep["warning"]> {
  const warning = texts[differenceReason ?? "unknown"]({
    model,
    provider: model.slice(0, model.indexOf("/")),
    changes: prefix?.changes ?? [],
    isRefreshed: prefix?.promptReason === "turn-refresh",
  });
  if (prefix?.dropsThinking !== true) return warning;
  return { ...warning, message: `${warning.message}; its model drops the thinking that stood behind that` };
}

interface Facts {
  readonly model: string;
  readonly provider: string;
  readonly changes: readonly string[];
  readonly isRefreshed: boolean;
}

type Text = (facts: Facts) => { readonly message: string; readonly hint: string };

const nobody: Text = () => ({
  message: "It does not begin with the request before it, and the host cannot tell why",
  hint: "compare the two requests, which are on record byte for byte",
});

const texts = {
  "first-step": nobody,
  compaction: () => ({
    message: "A summary replaced the history",
    hint: "nothing: later requests are shorter",
  }),
  "model-changed": ({ model }) => ({
    message: `"${model}" has its own cache, without the requests of the previous model`,
    hint: "use one model per conversation; start a new conversation or a fork for another model",
  }),
  "provider-changed": ({ provider }) => ({
    message: `The same content was sent to another address or in another format: "${provider}" was replaced or reconfigured`,
    hint: `if it happens again without a change of [providers.${provider}] or its extension, report it to its author`,
  }),
  "tools-changed": () => ({
    message: "The tool list changed: the list from the start of this epoch could not be read",
    hint: "see the host's log, and the tools of the conversation",
  }),
  "prompt-rebuilt": ({ changes, isRefreshed }) => {
    const what =
      changes.length === 0 ? "" : `, and ${list(changes)} ${changes.length === 1 ? "is" : "are"} not as before`;
    const variables = changes.filter((name) => name.startsWith("["));
    const takeOut = variables.length === 0 ? "" : `, or take ${list(variables)} out of the template`;
    return isRefreshed
      ? {
          message: `The prompt was rebuilt for this turn (prompt_refresh = "turn")${what}`,
          hint: `set prompt_refresh = "compaction"${takeOut}`,
        }
      : {
          message: `The prompt was rebuilt${what}`,
          hint: "explain the prompt of the conversation: that shows where each part comes from",
        };
  },
  "request-tier": () => ({
    message: "This call or the previous one brought its own system messages instead of the stored prompt",
    hint: "put permanent instructions into the template or a profile",
  }),
  "prompt-builder-absent": () => ({
    message: "The prompt builder was unloaded or reloaded, which removes or restores the prompt",
    hint: "load it again and leave it: incipit extensions load system-prompt",
  }),
  "history-edited": () => ({
    message:
      "A sent message was changed: a file was removed from it, or the conversation was edited in storage or before its import",
    hint: "nothing, if this was intended; otherwise check the data folder",
  }),
  unknown: nobody,
} as const satisfies Record<DifferenceReason, Text>;

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
