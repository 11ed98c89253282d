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
    message: "The history was replaced by a summary of it",
    hint: "nothing: what follows is shorter",
  }),
  "model-changed": ({ model }) => ({
    message: `"${model}" has a cache of its own: what the model before was sent is not in it`,
    hint: "stay with one model in a conversation; begin another one, or a fork, for another model",
  }),
  "provider-changed": ({ provider }) => ({
    message: `The same content went to another address, or was written otherwise: "${provider}" was replaced or configured anew`,
    hint: `if it happens again without a change of [providers.${provider}] or its extension, report it to its author`,
  }),
  "tools-changed": () => ({
    message: "Another list of tools was sent: the one that this epoch began with could not be read",
    hint: "see the host's log, and the tools of the conversation",
  }),
  "prompt-rebuilt": ({ changes, isRefreshed }) => {
    const what =
      changes.length === 0 ? "" : `, and ${list(changes)} ${changes.length === 1 ? "is" : "are"} not as before`;
    const variables = changes.filter((name) => name.startsWith("["));
    const takeOut = variables.length === 0 ? "" : `, or take ${list(variables)} out of the template`;
    return isRefreshed
      ? {
          message: `The prompt was constructed anew for this turn (prompt_refresh = "turn")${what}`,
          hint: `set prompt_refresh = "compaction"${takeOut}`,
        }
      : {
          message: `The kept prompt was constructed anew${what}`,
          hint: "explain the prompt of the conversation: that shows where each part comes from",
        };
  },
  "request-tier": () => ({
    message: "System texts came with this call, or with the one before it, instead of the kept prompt",
    hint: "what always holds belongs into the template, or into a profile",
  }),
  "prompt-builder-absent": () => ({
    message: "The prompt builder was unloaded, or is back: with it the prompt goes and comes",
    hint: "load it again and leave it: incipit extensions load system-prompt",
  }),
  "history-edited": () => ({
    message:
      "A message is not what was sent before: a file was removed from it, or the conversation was changed where it is stored, or before it was imported",
    hint: "nothing, unless nobody did that: then look at the data folder",
  }),
  unknown: nobody,
} as const satisfies Record<DifferenceReason, Text>;

function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
