import type { Heartbeat, HeartbeatWake } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "../controls/copy-button.tsx";
import { Folded } from "../controls/folded.tsx";
import { Problem } from "../controls/problem.tsx";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useKept } from "../session/use-kept.ts";
import { useLoad } from "../session/use-load.ts";
import { useRefresh } from "../session/use-refresh.ts";
import { amounts } from "../text/amounts.ts";
import { scheduleWords } from "../text/schedule-words.ts";
import { words } from "../text/words.ts";
import { PagedRecords } from "../controls/paged-records.tsx";
import { refreshMs } from "./refresh.ts";
import { WakeRecord } from "./wake-record.tsx";

const said = scheduleWords.heartbeat;

export function HeartbeatSection(): JSX.Element {
  const { loaded, reload } = useLoad((signal) => api.call(routes.getHeartbeat, { signal }), []);
  const heartbeat = useKept(loaded)?.heartbeat;
  useRefresh(reload, refreshMs(isUnderWay(heartbeat?.lastWake)));
  return (
    <section aria-labelledby="heartbeat">
      <h2 id="heartbeat">{said.title}</h2>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {heartbeat !== undefined && (heartbeat.enabled ? <IsOn heartbeat={heartbeat} onWoken={reload} /> : <IsOff />)}
    </section>
  );
}

function IsOff(): JSX.Element {
  return (
    <>
      <p>{said.off}</p>
      <pre tabIndex={0}>{said.lines}</pre>
      <CopyButton text={said.lines} />
    </>
  );
}

interface IsOnProps {
  readonly heartbeat: Heartbeat;
  readonly onWoken: () => void;
}

function IsOn({ heartbeat, onWoken }: IsOnProps): JSX.Element {
  const { nextAt, conversationId, lastWake, lastAlert, tokensToday, usdToday, unpricedToday } = heartbeat;
  const [isWoken, setIsWoken] = useState(false);
  const [error, setError] = useState<unknown>();
  const wake = async (): Promise<void> => {
    setError(undefined);
    try {
      await api.call(routes.wakeHeartbeat, {});
      setIsWoken(true);
    } catch (cause) {
      setIsWoken(false);
      setError(cause);
    }
    onWoken();
  };
  const isAwake = isUnderWay(lastWake);
  return (
    <>
      <p>{said.on}</p>
      <dl class="facts">
        <dt>{scheduleWords.next}</dt>
        <dd>{nextAt === null ? "–" : <time dateTime={nextAt}>{amounts.time(nextAt)}</time>}</dd>
        <dt>{scheduleWords.tokensToday}</dt>
        <dd>{amounts.count(tokensToday)}</dd>
        <dt>{scheduleWords.costToday}</dt>
        <dd>{scheduleWords.cost(usdToday, unpricedToday)}</dd>
      </dl>
      {conversationId !== null && (
        <a href={addressOf({ view: "conversations", id: conversationId })}>{scheduleWords.opensConversation}</a>
      )}
      <h3>{said.last}</h3>
      {lastWake === null ? <p class="quiet">{said.never}</p> : <One wake={lastWake} />}
      {lastAlert !== null && lastAlert.id !== lastWake?.id && (
        <>
          <h3>{said.alert}</h3>
          <One wake={lastAlert} />
        </>
      )}
      <button type="button" disabled={isAwake} onClick={() => void wake()}>
        {said.wake}
      </button>
      {error !== undefined && <Problem error={error} />}
      <p role="status" class="quiet">
        {isWoken && isAwake && said.woken}
      </p>
      <Folded title={said.wakes}>
        <PagedRecords
          key={`${lastWake?.id ?? ""} ${lastWake?.outcome ?? ""}`}
          none={said.none}
          load={async (cursor, signal) => {
            const query = cursor === undefined ? {} : { cursor };
            const { wakes, nextCursor } = await api.call(routes.listHeartbeatWakes, { query, signal });
            return { items: wakes, nextCursor };
          }}
          draw={(wake) => <WakeRecord key={wake.id} wake={wake} />}
        />
      </Folded>
    </>
  );
}

function isUnderWay(wake: HeartbeatWake | null | undefined): boolean {
  return wake?.outcome === null;
}

function One({ wake }: { readonly wake: HeartbeatWake }): JSX.Element {
  return (
    <ul class="records">
      <WakeRecord wake={wake} />
    </ul>
  );
}
