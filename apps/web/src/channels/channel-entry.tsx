import type { ChannelView, PairingCode } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "../controls/copy-button.tsx";
import { Folded } from "../controls/folded.tsx";
import { PagedRecords } from "../controls/paged-records.tsx";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { amounts } from "../text/amounts.ts";
import { channelWords as said } from "../text/channel-words.ts";
import { ChannelPeople } from "./channel-people.tsx";
import { SentMessage } from "./sent-message.tsx";

interface ChannelEntryProps {
  readonly channel: ChannelView;
  readonly onChange: () => void;
}

export function ChannelEntry({ channel, onChange }: ChannelEntryProps): JSX.Element {
  const { id, state, why, since, account, waiting, unknown, failed } = channel;
  const [code, setCode] = useState<PairingCode>();
  const [done, setDone] = useState("");
  const [error, setError] = useState<unknown>();
  const [changes, setChanges] = useState(0);
  const trying = async (work: () => Promise<string>): Promise<void> => {
    setError(undefined);
    setDone("");
    try {
      setDone(await work());
      setChanges((count) => count + 1);
    } catch (cause) {
      setError(cause);
    }
    onChange();
  };
  const params = { id };
  const pair = async (): Promise<string> => {
    setCode((await api.call(routes.createPairingCode, { params })).pairingCode);
    return "";
  };
  return (
    <article aria-labelledby={`channel-${id}`} data-state={state}>
      <h2 id={`channel-${id}`}>{id}</h2>
      <dl class="facts">
        <dt>{said.state}</dt>
        <dd>{said.states[state]}</dd>
        {why !== null && (
          <>
            <dt>{said.why}</dt>
            <dd dir="auto">{why}</dd>
          </>
        )}
        {state !== "off" && (
          <>
            <dt>{said.since}</dt>
            <dd>
              <time dateTime={since}>{amounts.time(since)}</time>
            </dd>
          </>
        )}
        {account !== null && (
          <>
            <dt>{said.account}</dt>
            <dd dir="auto">{account}</dd>
          </>
        )}
        <dt>{said.waiting}</dt>
        <dd>{said.messages(waiting)}</dd>
        <dt>{said.unknown}</dt>
        <dd>{said.messages(unknown)}</dd>
        <dt>{said.failed}</dt>
        <dd>{said.messages(failed)}</dd>
      </dl>
      <h3>{said.people}</h3>
      <ChannelPeople
        key={`people ${changes}`}
        channel={id}
        onRemove={(person, name) =>
          void trying(async () => {
            await api.call(routes.removeChannelPerson, { params: { ...params, person } });
            return said.removed(name);
          })
        }
      />
      <button type="button" disabled={state === "off"} onClick={() => void trying(pair)}>
        {said.pair}
      </button>
      {code !== undefined && (
        <section aria-label={said.code}>
          <p>
            <code>{code.code}</code>
          </p>
          <CopyButton text={code.code} />
          <p class="quiet">{said.codeText(amounts.time(code.expiresAt))}</p>
        </section>
      )}
      {error !== undefined && <Problem error={error} />}
      <p role="status" class="quiet">
        {done}
      </p>
      <Folded title={said.outbox}>
        <PagedRecords
          key={`outbox ${changes} ${waiting} ${unknown} ${failed}`}
          none={said.nothingSent}
          load={async (cursor, signal) => {
            const query = cursor === undefined ? {} : { cursor };
            const { messages, nextCursor } = await api.call(routes.listChannelMessages, { params, query, signal });
            return { items: messages, nextCursor };
          }}
          draw={(message) => (
            <SentMessage
              key={message.id}
              message={message}
              onRetry={() =>
                void trying(async () => {
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
