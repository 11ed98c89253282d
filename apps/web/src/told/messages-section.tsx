import type { Message, StepRecord } from "@incipit/schema";
import type { JSX } from "preact";
import { Button } from "../controls/fields.tsx";
import { Folded } from "../controls/folded.tsx";
import { LongText } from "../controls/long-text.tsx";
import { toldWords } from "../text/told-words.ts";
import { beginningOf, isSummary, messageSize } from "./context-parts.ts";
import { elementIds } from "./element-ids.ts";

interface MessagesSectionProps {
  readonly record: StepRecord;
  readonly from: number;
  readonly onShowEarlier: () => void;
}

export function MessagesSection({ record, from, onShowEarlier }: MessagesSectionProps): JSX.Element {
  const said = toldWords.messages;
  const { messages, reply, step } = record;
  if (messages === null) return <p class="quiet">{said.gone}</p>;
  return (
    <>
      {messages.length === 0 && <p class="quiet">{said.none}</p>}
      {from > 0 && <Button text={said.earlier(from)} class="plain" onClick={onShowEarlier} />}
      {messages.slice(from).map((message, offset) => {
        const index = from + offset;
        const role = isSummary(message, { index, epoch: step.epoch }) ? said.summary : said.roles[message.role];
        const title = `${said.item(index + 1, role, messageSize(message))} · ${beginningOf(message)}`;
        return (
          <Folded key={message.id} id={elementIds.message(index)} title={title}>
            <MessageParts message={message} />
          </Folded>
        );
      })}
      <h3>{said.reply}</h3>
      {reply === null ? <p class="quiet">{said.noReply}</p> : <MessageParts message={reply} />}
    </>
  );
}

/** Without Markdown. */
export function MessageParts({ message }: { readonly message: Message }): JSX.Element {
  const said = toldWords.messages.parts;
  return (
    <>
      {message.parts.map((part, index) => {
        switch (part.type) {
          case "text":
            return <LongText key={index} text={part.text} label={said.text} />;
          case "reasoning":
            return (
              <div key={index}>
                <h4>{said.reasoning}</h4>
                <LongText text={part.text} label={said.reasoning} />
              </div>
            );
          case "tool-call":
            return (
              <div key={index}>
                <h4>{said["tool-call"](part.name)}</h4>
                <LongText text={part.input} label={said["tool-call"](part.name)} />
              </div>
            );
          case "tool-result": {
            const title = said["tool-result"](part.name, part.isError);
            return (
              <div key={index}>
                <h4>{title}</h4>
                <LongText text={part.output} label={title} />
                {part.files?.map(({ mediaType, data }, place) => (
                  <p key={place}>{said.file(mediaType, data.length)}</p>
                ))}
              </div>
            );
          }
          case "file":
            return <p key={index}>{said.file(part.filename ?? part.mediaType, part.data.length)}</p>;
        }
      })}
    </>
  );
}
