import type { LintFinding, LintTemplateResponse } from "@incipit/schema";
import type { JSX } from "preact";
import { memo } from "preact/compat";
import { Button } from "../controls/fields.tsx";
import { promptWords } from "../text/prompt-words.ts";
import type { TemplateEditor } from "./template-editor.ts";

interface FindingsListProps {
  readonly lint: LintTemplateResponse;
  readonly text: string;
  readonly editor: TemplateEditor;
}

export const FindingsList = memo(
  ({ lint: { findings, omitted }, text, editor }: FindingsListProps): JSX.Element => {
    const said = promptWords.findings;
    const mend = ({ offset, length, replacement }: LintFinding): void => {
      const to = offset + length;
      // The text may have moved; the next lint result has the new place.
      if (replacement !== null && editor.slice(offset, to) === text.slice(offset, to))
        editor.replaceRange({ from: offset, to, insert: replacement });
    };
    if (findings.length === 0) return <p class="quiet">{said.none}</p>;
    return (
      <>
        <ul class="findings">
          {findings.map((finding) => (
            <li key={`${finding.code} ${finding.offset} ${finding.message}`} data-severity={finding.severity}>
              <p>
                <strong>{said.severity[finding.severity]}</strong> {finding.message}
              </p>
              <p class="quiet">{finding.fix}</p>
              <p class="row">
                <Button
                  text={said.goTo(finding.line, finding.column)}
                  class="plain"
                  onClick={() => editor.reveal(finding.offset, finding.offset + finding.length)}
                />
                {finding.replacement !== null && (
                  <Button text={said.replace(finding.replacement)} class="plain" onClick={() => mend(finding)} />
                )}
              </p>
            </li>
          ))}
        </ul>
        {omitted > 0 && <p class="quiet">{said.more(omitted)}</p>}
      </>
    );
  },
);
