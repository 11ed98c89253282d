import type { ChannelView, PairingCode, ChannelMessageState, ChannelMessageView } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "../controls/copy-button.tsx";
import { Button, Paragraph } from "../controls/fields.tsx";
import { Folded } from "../controls/folded.tsx";
import { Time, Facts } from "../controls/layout.tsx";
import { PagedRecords } from "../controls/paged-records.tsx";
import { useTrying } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { amounts } from "../text/amounts.ts";
import { channelWords as said } from "../text/channel-words.ts";
import { ChannelPeople } from "./channel-people.tsx";

interface ChannelEntryProps {
  readonly channel: ChannelView;
  readonly onChange: () => void;
}

export function ChannelEntry({ channel, onChange }: ChannelEntryProps): JSX.Element {
  const { id, state, why, since, account, waiting, unknown, failed } = channel;
  const [code, setCode] = useState<PairingCode>();
  const [changes, setChanges] = useState(0);
  const { trying, problem, done } = useTrying();
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    if (await trying(work)) setChanges((count) => count + 1);
    onChange();
  };
  const params = { id };
  const pair = async (): Promise<void> =>
    setCode((await api.call(routes.createPairingCode, { params })).pairingCode);
  return (
    <article aria-labelledby={`channel-${id}`} data-state={state}>
      <h2 id={`channel-${id}`}>{id}</h2>
      <Facts
        facts={[
          [said.state, said.states[state]],
          [said.why, why],
          [said.since, state === "off" ? null : <Time at={since} />],
          [said.account, account],
          [said.waiting, said.messages(waiting)],
          [said.unknown, said.messages(unknown)],
          [said.failed, said.messages(failed)],
        ]}
      />
      <h3>{said.people}</h3>
      <ChannelPeople
        key={`people ${changes}`}
        channel={id}
        onRemove={(person, name) =>
          void change(async () => {
            await api.call(routes.removeChannelPerson, { params: { ...params, person } });
            return said.removed(name);
          })
        }
      />
      <Button text={said.pair} disabled={state === "off"} onClick={() => void change(pair)} />
      {code !== undefined && (
        <section aria-label={said.code}>
          <p>
            <code>{code.code}</code>
          </p>
          <CopyButton text={code.code} />
          <p class="quiet">{said.codeText(amounts.time(code.expiresAt))}</p>
        </section>
      )}
      {problem}
      <p role="status" class="quiet">
        {done}
      </p>
      <Folded title={said.outbox}>
        <PagedRecords
          key={`outbox ${changes} ${waiting} ${unknown} ${failed}`}
          none={said.nothingSent}
          load={(query, signal) => api.call(routes.listChannelMessages, { params, query, signal })}
          itemsOf={({ messages }) => messages}
          draw={(message) => (
            <SentMessage
              key={message.id}
              message={message}
              onRetry={() =>
                void change(async () => {
                  await api.call(routes.retryChannelMessage, { params: { ...params, message: message.id } });
                  return said.retriedNow;
                })
              }
            />
          )}
        />
      </Folded>
    </article>
  );
}

interface SentMessageProps {
  readonly message: ChannelMessageView;
  readonly onRetry: () => void;
}

const marks = {
  waiting: "open",
  sending: "open",
  sent: "good",
  failed: "bad",
  unknown: "bad",
} as const satisfies Record<ChannelMessageState, string>;

/** A message with failed or unknown delivery can be resent once. */
function SentMessage({ message, onRetry }: SentMessageProps): JSX.Element {
  const { chat, kind, text, state, why, createdAt, attempts, retriedAs } = message;
  const isOver = state === "failed" || state === "unknown";
  return (
    <li data-mark={marks[state]}>
      <p>
        <b>{said.messageStates[state]}</b>{" "}
        <span class="quiet">
          {said.to(chat)} · <Time at={createdAt} />
          {attempts > 1 && ` · ${said.tries(attempts)}`}
        </span>
      </p>
      {why !== null && <p dir="auto">{why}</p>}
      <Paragraph class="task">{kind === "file" ? said.file(text) : text}</Paragraph>
      {isOver && retriedAs !== null && <p class="quiet">{said.retried}</p>}
      {isOver && retriedAs === null && <Button text={said.retry} onClick={onRetry} />}
    </li>
  );
}
