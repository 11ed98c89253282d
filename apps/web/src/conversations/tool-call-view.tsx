import { escapeHidden, escapeHiddenLine, type FilePart } from "@incipit/schema";
import { Fragment, type JSX } from "preact";
import { LongText } from "../controls/long-text.tsx";
import { words } from "../text/words.ts";
import { FileView } from "./attachments.tsx";
import { FileActions } from "./file-removal.tsx";
import { TurnPart } from "./turn-part.tsx";

interface ToolCallProps {
  readonly part: string;
  readonly name: string;
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly problem: string | undefined;
  readonly files?: readonly FilePart[] | undefined;
  /** Absent if the files are not stored. */
  readonly epoch?: number;
  readonly isRunning?: boolean;
  /** Absent for approved calls and those without approval. */
  readonly allowedBy?: string | undefined;
  readonly progress?: string | undefined;
}

export function ToolCallView({
  part,
  name,
  input,
  output,
  problem,
  files = [],
  epoch,
  isRunning = false,
  progress,
  allowedBy,
}: ToolCallProps): JSX.Element {
  const said = words.messages;
  const state = problem !== undefined ? said.toolFailed : isRunning ? (progress ?? said.toolRunning) : undefined;
  return (
    <TurnPart name={part} title={`${said.tool(escapeHiddenLine(name))}${state === undefined ? "" : `: ${state}`}`}>
      {allowedBy !== undefined && <p class="quiet">{said.allowedBy(allowedBy)}</p>}
      <h3>{said.input}</h3>
      <LongText text={escapeHidden(input ?? "")} label={said.input} />
      {(output ?? problem) !== undefined && (
        <>
          <h3>{problem === undefined ? said.output : said.toolFailed}</h3>
          <LongText text={output ?? problem ?? ""} label={problem === undefined ? said.output : said.toolFailed} />
          {files.map((file, index) => (
            <Fragment key={index}>
              <FileView file={file} />
              {epoch !== undefined && <FileActions file={file} epoch={epoch} />}
            </Fragment>
          ))}
        </>
      )}
    </TurnPart>
  );
}
