import type { ChannelPersonView } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Confirm } from "../controls/confirm.tsx";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useKept } from "../session/use-kept.ts";
import { useLoad } from "../session/use-load.ts";
import { useRefresh } from "../session/use-refresh.ts";
import { amounts } from "../text/amounts.ts";
import { channelWords as said } from "../text/channel-words.ts";
import { words } from "../text/words.ts";

/** People can pair by code outside the page. */
const refreshMs = 5_000;

interface ChannelPeopleProps {
  readonly channel: string;
  readonly onRemove: (person: string, name: string) => void;
}

export function ChannelPeople({ channel, onRemove }: ChannelPeopleProps): JSX.Element {
  const { loaded, reload } = useLoad(
    (signal) => api.call(routes.listChannelPeople, { params: { id: channel }, signal }),
    [channel],
  );
  const people = useKept(loaded)?.people;
  useRefresh(reload, refreshMs);
  const [removing, setRemoving] = useState<ChannelPersonView>();
  return (
    <>
      {loaded.state === "loading" && people === undefined && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {people?.length === 0 && <p class="quiet">{said.nobody}</p>}
      {people !== undefined && people.length > 0 && (
        <ul class="records">
          {people.map((person) => (
            <li key={person.id} data-mark="none">
              <p>
                <b dir="auto">{nameOf(person)}</b>{" "}
                <span class="quiet">
                  {person.name !== null && `${person.id} · `}
                  {person.pairedAt === null ? said.configured : said.pairedAt(amounts.time(person.pairedAt))}
                </span>
              </p>
              {person.source === "pairing" && (
                <button type="button" class="danger" onClick={() => setRemoving(person)}>
                  {said.remove(nameOf(person))}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {removing !== undefined && (
        <Confirm
          title={said.removeTitle(nameOf(removing))}
          text={said.removeText}
          agree={said.removeAgree}
          onAgree={() => onRemove(removing.id, nameOf(removing))}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

function nameOf({ name, id }: ChannelPersonView): string {
  return name ?? id;
}
