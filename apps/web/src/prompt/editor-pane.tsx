import type { LintTemplateResponse, SystemPromptVariable } from "@incipit/schema";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { TemplateEditor } from "./template-editor.ts";

interface EditorPaneProps {
  readonly initialText: string;
  readonly label: string;
  readonly variables?: readonly SystemPromptVariable[];
  readonly lint?: LintTemplateResponse | undefined;
  readonly editor: TemplateEditor | undefined;
  readonly onReady: (editor: TemplateEditor | undefined) => void;
  readonly onChange: () => void;
  readonly onSave: () => void;
}

/** The editor owns its text. */
export function EditorPane(props: EditorPaneProps): JSX.Element {
  const { initialText, label, variables = [], lint, editor, onReady, onChange, onSave } = props;
  const element = useRef<HTMLDivElement>(null);
  const calls = useRef({ onChange, onSave });
  calls.current = { onChange, onSave };
  useEffect(() => {
    if (element.current === null) return undefined;
    const made = new TemplateEditor({
      element: element.current,
      text: initialText,
      label,
      variables,
      onChange: () => calls.current.onChange(),
      onSave: () => calls.current.onSave(),
    });
    onReady(made);
    return () => {
      onReady(undefined);
      made.close();
    };
  }, []);
  useEffect(() => {
    if (editor !== undefined && lint !== undefined) editor.showFindings(lint.findings);
  }, [editor, lint]);
  return <div ref={element} class="editor" />;
}
