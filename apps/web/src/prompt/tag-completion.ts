import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import type { SystemPromptVariable } from "@incipit/schema";

const begun = /\[\s*(?:if\s+!?)?[\w:./-]*$/;
const condition = /^\[\s*if\s+!?/;

export function tagCompletion(
  variables: readonly SystemPromptVariable[],
): (context: CompletionContext) => CompletionResult | null {
  return (context) => {
    const found = context.matchBefore(begun);
    if (found === null) return null;
    const prefix = condition.exec(found.text)?.[0] ?? "[";
    const options = variables.map(variableOption);
    return {
      from: found.from + prefix.length,
      options: prefix === "[" ? [...options, ...words] : options,
      validFor: /^[\w:./-]*$/,
    };
  };
}

const words: readonly Completion[] = [
  { label: "if ", detail: "…", type: "keyword", boost: -1, apply: "if " },
  { label: "if !", detail: "…", type: "keyword", boost: -1, apply: "if !" },
  { label: "else", type: "keyword", boost: -1, apply: closing("else") },
  { label: "endif", type: "keyword", boost: -1, apply: closing("endif") },
];

function variableOption({ type, name, description, dynamic }: SystemPromptVariable): Completion {
  const label = dynamic === true ? `${type}:` : `${type}:${name}`;
  return { label, detail: description, type: "variable", apply: dynamic === true ? label : closing(label) };
}

function closing(text: string): NonNullable<Completion["apply"]> {
  return (view: EditorView, _: Completion, from: number, to: number) => {
    const isClosed = view.state.sliceDoc(to, to + 1) === "]";
    const insert = isClosed ? text : `${text}]`;
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + text.length + 1 },
      userEvent: "input.complete",
    });
  };
}
