import type { Heartbeat, HeartbeatWake } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Button } from "../controls/fields.tsx";
import { Folded } from "../controls/folded.tsx";
import { Time, Example, Section, Facts } from "../controls/layout.tsx";
import { PagedRecords } from "../controls/paged-records.tsx";
import { Pending, useTrying } from "../controls/problem.tsx";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useRoute, useRefresh } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { scheduleWords } from "../text/schedule-words.ts";
import { refreshMs } from "./refresh.ts";
import { WakeRecord } from "./wake-record.tsx";

const said = scheduleWords.heartbeat;

export function HeartbeatSection(): JSX.Element {
  const loaded = useRoute(routes.getHeartbeat);
  const heartbeat = loaded.known?.heartbeat;
  useRefresh(loaded.reload, refreshMs(isUnderWay(heartbeat?.lastWake)));
  return (
    <Section id="heartbeat" title={said.title}>
      <Pending of={loaded} />
      {heartbeat !== undefined &&
        (heartbeat.enabled ? <IsOn heartbeat={heartbeat} onWoken={loaded.reload} /> : <IsOff />)}
    </Section>
  );
}

function IsOff(): JSX.Element {
  return (
    <>
      <p>{said.off}</p>
      <Example text={said.lines} />
    </>
  );
}

interface IsOnProps {
  readonly heartbeat: Heartbeat;
  readonly onWoken: () => void;
}

function IsOn({ heartbeat, onWoken }: IsOnProps): JSX.Element {
  const { nextAt, conversationId, lastWake, lastAlert, tokensToday, usdToday, unpricedToday } = heartbeat;
  const { trying, problem, done } = useTrying();
  const wake = async (): Promise<void> => {
    await trying(async () => {
      await api.call(routes.wakeHeartbeat, {});
      return said.woken;
    });
    onWoken();
  };
  const isAwake = isUnderWay(lastWake);
  return (
    <>
      <p>{said.on}</p>
      <Facts
        facts={[
          [scheduleWords.next, nextAt === null ? "–" : <Time at={nextAt} />],
          [scheduleWords.tokensToday, amounts.count(tokensToday)],
          [scheduleWords.costToday, scheduleWords.cost(usdToday, unpricedToday)],
        ]}
      />
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
      <Button text={said.wake} disabled={isAwake} onClick={() => void wake()} />
      {problem}
      <p role="status" class="quiet">
        {isAwake && done}
      </p>
      <Folded title={said.wakes}>
        <PagedRecords
          key={`${lastWake?.id ?? ""} ${lastWake?.outcome ?? ""}`}
          none={said.none}
          load={(query, signal) => api.call(routes.listHeartbeatWakes, { query, signal })}
          itemsOf={({ wakes }) => wakes}
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
