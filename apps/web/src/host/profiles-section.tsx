import { routes, type ConfiguredKeyInfo, type Profile } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { Button, Paragraph } from "../controls/fields.tsx";
import { Folded } from "../controls/folded.tsx";
import { Section, TextList } from "../controls/layout.tsx";
import { Pending, useTrying } from "../controls/problem.tsx";
import { addressOf, goTo } from "../place/place.ts";
import { api } from "../session/api.ts";
import { type Loaded, useRoute } from "../session/use-load.ts";
import { agentPlace, agentWords } from "../text/agent-words.ts";
import { hostWords } from "../text/host-words.ts";
import { setupWords } from "../text/setup-words.ts";
import { placeOf } from "./configuration-section.tsx";
import { ProfileTrial } from "./profile-trial.tsx";

interface ProfilesProps {
  readonly configuration: Loaded<{ readonly keys: readonly ConfiguredKeyInfo[] }>;
}

export function ProfilesSection({ configuration }: ProfilesProps): JSX.Element {
  const said = hostWords.profiles;
  const loaded = useRoute(routes.listProfiles);
  const keys = configuration.state === "ready" ? configuration.value.keys : [];
  return (
    <Section id="profiles" title={said.title}>
      <p>
        <a href={addressOf({ view: "agent", name: undefined })}>{agentWords.list.new}</a>
      </p>
      <Pending of={loaded} />
      {loaded.state === "ready" && loaded.value.profiles.length === 0 && <p class="quiet">{said.none}</p>}
      {loaded.state === "ready" && loaded.value.profiles.length > 0 && (
        <ul class="extensions profiles">
          {loaded.value.profiles.map((profile) => (
            <li key={profile.name}>
              <ProfileEntry profile={profile} keys={keys} />
            </li>
          ))}
        </ul>
      )}
      {loaded.state === "ready" && loaded.value.problems.length > 0 && (
        <>
          <h3>{agentWords.list.problems}</h3>
          <TextList
            texts={loaded.value.problems.map(
              ({ path, line, message }) => `${agentPlace({ path, line })}: ${message}`,
            )}
          />
        </>
      )}
    </Section>
  );
}

interface EntryProps {
  readonly profile: Profile;
  readonly keys: readonly ConfiguredKeyInfo[];
}

function ProfileEntry({ profile, keys }: EntryProps): JSX.Element {
  const { name, description, model, hasSystemPrompt, problem, source, shadowed, warnings } = profile;
  const said = setupWords.profiles;
  const { trying, problem: failure } = useTrying();
  const own = keys.filter(({ path }) => path[0] === "profiles" && path[1] === name);
  const first = own.find(({ origin }) => origin.kind === "file");
  const isConfigured = source.path === null;
  const place = isConfigured && first !== undefined ? placeOf(first) : undefined;
  const prompt = own.find(({ path }) => path[2] === "system_prompt")?.value;
  const begin = async (): Promise<void> => {
    const { conversation } = await api.call(routes.createConversation, { body: { profile: name } });
    goTo({ view: "conversations", id: conversation.id });
  };
  return (
    <article aria-label={name} data-phase={problem === null ? "active" : "failed"}>
      <h3 dir="auto">{name}</h3>
      {description !== null && <p dir="auto">{description}</p>}
      <p class="quiet">
        {[
          `${hostWords.profiles.model} ${model ?? hostWords.models.default}`,
          hasSystemPrompt ? hostWords.profiles.hasPrompt : hostWords.profiles.hostPrompt,
          ...(place === undefined ? [] : [said.writtenAt(place)]),
          ...(isConfigured ? [] : [agentWords.list.places(agentPlace(source), source.tier)]),
        ].join(" · ")}
      </p>
      {problem !== null && <p class="problem">{problem}</p>}
      {warnings.map((warning) => (
        <Paragraph key={warning}>{warning}</Paragraph>
      ))}
      {shadowed.map((other) => (
        <p key={agentPlace(other)} class="quiet" dir="auto">
          {agentWords.list.shadowed(agentPlace(other), other.reason)}
        </p>
      ))}
      {isConfigured && (
        <Folded title={said.edit}>
          <ProfileTrial
            name={name}
            model={model}
            kept={typeof prompt === "string" ? prompt : undefined}
            place={place}
          />
        </Folded>
      )}
      <div class="row">
        {!isConfigured && (
          <a href={addressOf({ view: "agent", name })} aria-label={`${agentWords.list.open} ${name}`}>
            {agentWords.list.open}
          </a>
        )}
        <Button text={said.begin} class="plain" disabled={problem !== null} onClick={() => void trying(begin)} />
      </div>
      {failure}
    </article>
  );
}
