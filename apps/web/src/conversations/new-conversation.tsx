import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { addressOf, goTo, type BeginsWith } from "../place/place.ts";
import { useLoad } from "../session/use-load.ts";
import { words } from "../text/words.ts";
import { Composer } from "./composer.tsx";
import { sendMessage, type SentMessage } from "./send-message.ts";
import { WhichPrompt } from "./which-prompt.tsx";

/** For trying everything without a key. */
const builtIn = "offline/";

const conversationsLookedAt = 50;
const foldersOffered = 10;

export function NewConversation({ beginsWith }: { readonly beginsWith?: BeginsWith | undefined }): JSX.Element {
  const said = words.composer;
  const [model, setModel] = useState(beginsWith?.model ?? "");
  const [profile, setProfile] = useState(beginsWith?.profile ?? "");
  const [cwd, setCwd] = useState(beginsWith?.cwd ?? "");
  const begun = useRef<{ readonly choice: string; readonly id: string }>(undefined);
  const [error, setError] = useState<unknown>();
  const { loaded } = useLoad(async (signal) => {
    const [{ models }, { profiles }, { conversations }] = await Promise.all([
      api.call(routes.listModels, { signal }),
      api.call(routes.listProfiles, { signal }),
      api.call(routes.listConversations, { query: { limit: conversationsLookedAt }, signal }),
    ]);
    const folders = [...new Set(conversations.map(({ cwd: folder }) => folder))].slice(0, foldersOffered);
    return { models, profiles, folders };
  }, []);
  const { models, profiles, folders } =
    loaded.state === "ready" ? loaded.value : { models: [], profiles: [], folders: [] };
  const send = async (message: SentMessage): Promise<void> => {
    setError(undefined);
    try {
      // Empty values are omitted, so that the host's defaults apply.
      const chosen = Object.entries({ model, profile, cwd: cwd.trim() }).filter(([, value]) => value !== "");
      const body = Object.fromEntries(chosen);
      const choice = JSON.stringify(body);
      // Reuses a conversation created for a message that failed.
      if (begun.current?.choice !== choice) {
        const { conversation } = await api.call(routes.createConversation, { body });
        begun.current = { choice, id: conversation.id };
      }
      const { id } = begun.current;
      await sendMessage(id, message);
      goTo({ view: "conversations", id });
    } catch (cause) {
      setError(cause);
      throw cause;
    }
  };
  // A URL may name the default model, which is selected by an empty value.
  const isDefaultNamed = models.some(({ id, isDefault }) => isDefault && id === model);
  const ofProfile = profiles.find(({ name }) => name === profile)?.model ?? undefined;
  const taken = model === "" ? (ofProfile ?? models.find(({ isDefault }) => isDefault)?.id) : model;
  const problem = models.find(({ id }) => id === taken)?.problem ?? undefined;
  const isBuiltInAlone = models.length > 0 && models.every(({ id }) => id.startsWith(builtIn));
  return (
    <div class="new">
      <h1>{words.conversations.new}</h1>
      {isBuiltInAlone && (
        <p class="quiet">
          {said.builtIn} <a href={addressOf({ view: "host" })}>{said.addModel}</a>
        </p>
      )}
      <div class="choices">
        <label>
          <span>{said.model}</span>{" "}
          <select
            value={isDefaultNamed ? "" : model}
            onChange={({ currentTarget }) => setModel(currentTarget.value)}
          >
            {models.map(({ id, isDefault }) => (
              <option key={id} value={isDefault ? "" : id}>
                {isDefault && ofProfile !== undefined ? said.profileModel(ofProfile) : id}
              </option>
            ))}
          </select>
        </label>
        {profiles.length > 0 && (
          <label>
            <span>{said.profile}</span>{" "}
            <select value={profile} onChange={({ currentTarget }) => setProfile(currentTarget.value)}>
              <option value="">{said.noProfile}</option>
              {profiles.map(({ name }) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="wide">
          <span>{said.cwd}</span>{" "}
          <input
            value={cwd}
            placeholder={said.cwdHint}
            spellcheck={false}
            dir="ltr"
            list="folders"
            onInput={({ currentTarget }) => setCwd(currentTarget.value)}
          />
        </label>
        <datalist id="folders">
          {folders.map((folder) => (
            <option key={folder} value={folder} />
          ))}
        </datalist>
      </div>
      <WhichPrompt model={isDefaultNamed ? "" : model} profile={profile} />
      {problem !== undefined && <p class="quiet">{problem}</p>}
      {error !== undefined && <Problem error={error} />}
      <Composer place="new" cwd={cwd.trim()} isRunning={false} onSend={send} />
    </div>
  );
}
