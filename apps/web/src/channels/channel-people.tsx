import type { ChannelPersonView } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { AskingButton } from "../controls/confirm.tsx";
import { Pending } from "../controls/problem.tsx";
import { useRoute, useRefresh } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { channelWords as said } from "../text/channel-words.ts";

/** People can pair by code outside the page. */
const refreshMs = 5_000;

interface ChannelPeopleProps {
  readonly channel: string;
  readonly onRemove: (person: string, name: string) => void;
}

export function ChannelPeople({ channel, onRemove }: ChannelPeopleProps): JSX.Element {
  const loaded = useRoute(routes.listChannelPeople, { params: { id: channel } });
  const people = loaded.known?.people;
  useRefresh(loaded.reload, refreshMs);
  return (
    <>
      <Pending of={loaded} />
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
                <AskingButton
                  text={said.remove(nameOf(person))}
                  class="danger"
                  question={{
                    title: said.removeTitle(nameOf(person)),
                    text: said.removeText,
                    agree: said.removeAgree,
                    onAgree: () => onRemove(person.id, nameOf(person)),
                  }}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function nameOf({ name, id }: ChannelPersonView): string {
  return name ?? id;
}
