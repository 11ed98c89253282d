import { routes, type ConfiguredKeyInfo, type Profile } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Folded } from "../controls/folded.tsx";
import { Problem } from "../controls/problem.tsx";
import { addressOf, goTo } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad, type Loaded } from "../session/use-load.ts";
import { agentPlace, agentWords } from "../text/agent-words.ts";
import { hostWords } from "../text/host-words.ts";
import { setupWords } from "../text/setup-words.ts";
import { words } from "../text/words.ts";
import { placeOf } from "./configuration-section.tsx";
import { ProfileTrial } from "./profile-trial.tsx";

interface ProfilesProps {
  readonly configuration: Loaded<{ readonly keys: readonly ConfiguredKeyInfo[] }>;
}

export function ProfilesSection({ configuration }: ProfilesProps): JSX.Element {
  const said = hostWords.profiles;
  const { loaded, reload } = useLoad((signal) => api.call(routes.listProfiles, { signal }), []);
  const keys = configuration.state === "ready" ? configuration.value.keys : [];
  return (
    <section aria-labelledby="profiles">
      <h2 id="profiles">{said.title}</h2>
      <p>
        <a href={addressOf({ view: "agent", name: undefined })}>{agentWords.list.new}</a>
      </p>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
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
          <ul>
            {loaded.value.problems.map(({ path, line, message }) => (
              <li key={`${path} ${line} ${message}`} dir="auto">
                {agentPlace({ path, line })}: {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

interface EntryProps {
  readonly profile: Profile;
  readonly keys: readonly ConfiguredKeyInfo[];
}

function ProfileEntry({ profile, keys }: EntryProps): JSX.Element {
  const { name, description, model, hasSystemPrompt, problem, source, shadowed, warnings } = profile;
  const said = setupWords.profiles;
  const [error, setError] = useState<unknown>();
  const own = keys.filter(({ path }) => path[0] === "profiles" && path[1] === name);
  const first = own.find(({ origin }) => origin.kind === "file");
  const isConfigured = source.path === null;
  const place = isConfigured && first !== undefined ? placeOf(first) : undefined;
  const prompt = own.find(({ path }) => path[2] === "system_prompt")?.value;
  const begin = async (): Promise<void> => {
    try {
      const { conversation } = await api.call(routes.createConversation, { body: { profile: name } });
      goTo({ view: "conversations", id: conversation.id });
    } catch (cause) {
      setError(cause);
    }
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
        <p key={warning} dir="auto">
          {warning}
        </p>
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
        <button type="button" class="plain" disabled={problem !== null} onClick={() => void begin()}>
          {said.begin}
        </button>
      </div>
      {error !== undefined && <Problem error={error} />}
    </article>
  );
}
