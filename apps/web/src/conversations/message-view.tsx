import { calledTool, type ShortTurnEnd, type Message } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { Fragment, type JSX } from "preact";
import { memo } from "preact/compat";
import { CopyButton } from "../controls/copy-button.tsx";
import { Button } from "../controls/fields.tsx";
import { Markdown } from "../controls/markdown.tsx";
import { goTo } from "../place/place.ts";
import { api } from "../session/api.ts";
import { words } from "../text/words.ts";
import { FileView } from "./attachments.tsx";
import { ChangedFiles } from "./changed-files.tsx";
import { FileActions } from "./file-removal.tsx";
import type { ToolResult } from "./messages.tsx";
import { ToolCallView } from "./tool-call-view.tsx";
import { TurnEndNotice, type TryAgain } from "./turn-end-notice.tsx";
import { partNames, TurnPart } from "./turn-part.tsx";
import { UserText } from "./user-text.tsx";

interface MessageProps {
  readonly message: Message;
  readonly results: ReadonlyMap<string, ToolResult>;
  readonly conversationId: string;
  /** 1-based, among the loaded messages. */
  readonly place: number;
  /** Number of messages; -1 while unknown. */
  readonly setSize: number;
  readonly isReachable: boolean;
  /** Absent if completed, or if later messages of the turn follow. */
  readonly end: ShortTurnEnd | undefined;
  readonly again: TryAgain | undefined;
  /** Tools may have changed files. */
  readonly hasCalled: boolean;
  /** Number of reasoning parts earlier in the turn. */
  readonly reasoningBefore: number;
}

/** Changes only when a file is removed. */
export const MessageView = memo(
  StoredMessage,
  (before, after) =>
    before.message === after.message &&
    hasSameFiles(before, after) &&
    before.place === after.place &&
    before.setSize === after.setSize &&
    before.isReachable === after.isReachable &&
    before.end === after.end &&
    before.hasCalled === after.hasCalled &&
    before.again === after.again,
);

function hasSameFiles(before: MessageProps, after: MessageProps): boolean {
  if (before.results === after.results) return true;
  const { parts, turnId } = after.message;
  return parts.every((part) => {
    if (part.type !== "tool-call") return true;
    const key = `${turnId} ${part.toolCallId}`;
    return before.results.get(key)?.files === after.results.get(key)?.files;
  });
}

function StoredMessage(props: MessageProps): JSX.Element | null {
  const { message, results, conversationId, place, setSize, isReachable, end, again, hasCalled } = props;
  const { role, parts, turnId, model, command, carriedFrom } = message;
  let reasoned = props.reasoningBefore;
  if (role === "tool") return null;
  const text = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  const fork = async (): Promise<void> => {
    const params = { id: conversationId };
    const { conversation } = await api.call(routes.forkConversation, { params, body: { after: message.id } });
    goTo({ view: "conversations", id: conversation.id });
  };
  return (
    <article
      class="message"
      data-role={role}
      data-message={message.id}
      tabIndex={isReachable ? 0 : -1}
      aria-labelledby={`by-${message.id}`}
      aria-posinset={place}
      aria-setsize={setSize}
    >
      <h2 class="quiet" id={`by-${message.id}`}>
        {role === "user" ? words.messages.you : (model ?? "")}
        {command !== undefined && ` · /${command.name}`}
      </h2>
      {parts.map((part, index) => {
        switch (part.type) {
          case "text":
            return role === "user" ? (
              <UserText key={index} text={part.text} />
            ) : (
              <Markdown key={index} text={part.text} />
            );
          case "reasoning": {
            const name = partNames.reasoning(turnId, reasoned);
            reasoned += 1;
            return (
              part.text !== "" && (
                <TurnPart key={index} name={name} title={words.messages.reasoning}>
                  <Markdown text={part.text} />
                </TurnPart>
              )
            );
          }
          case "file":
            return (
              <Fragment key={index}>
                <FileView file={part} />
                <FileActions file={part} epoch={message.epoch} />
              </Fragment>
            );
          case "tool-call": {
            const result = results.get(`${turnId} ${part.toolCallId}`);
            const called = calledTool(part);
            return (
              <ToolCallView
                key={index}
                part={partNames.toolCall(turnId, part.toolCallId)}
                name={called.name}
                input={called.input}
                output={result?.isError === true ? undefined : result?.output}
                files={result?.files}
                epoch={message.epoch}
                allowedBy={result?.allowedBy}
                problem={result?.isError === true ? result.output : undefined}
              />
            );
          }
          case "tool-result":
            return null;
        }
      })}
      {role === "user" && carriedFrom === undefined && hasCalled && (
        <TurnPart name={partNames.changedFiles(turnId)} title={words.undo.title}>
          <ChangedFiles conversationId={conversationId} message={message} />
        </TurnPart>
      )}
      <div class="row tools">
        {text !== "" && <CopyButton text={text} />}
        {role === "assistant" && (
          <Button text={words.conversations.fork} class="plain" onClick={() => void fork()} />
        )}
      </div>
      {end !== undefined && <TurnEndNotice end={end} turnId={turnId} again={again} />}
    </article>
  );
}
