import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { BeginFields } from "../controls/begin-fields.tsx";
import { Problem } from "../controls/problem.tsx";
import { addressOf, goTo, type BeginsWith } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { words } from "../text/words.ts";
import { Composer } from "./composer.tsx";
import { sendMessage, type SentMessage } from "./send-message.ts";

/** Prefix of the built-in models, which need no key. */
const builtIn = "offline/";

const conversationsLookedAt = 50;
const foldersOffered = 10;

export function NewConversation({ beginsWith }: { readonly beginsWith?: BeginsWith | undefined }): JSX.Element {
  const said = words.composer;
  const [chosen, setChosen] = useState<BeginsWith>(beginsWith ?? { model: "", profile: "", cwd: "" });
  const begun = useRef<{ readonly choice: string; readonly id: string }>(undefined);
  const [error, setError] = useState<unknown>();
  const loaded = useLoad(async (signal) => {
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
  const { model, profile, cwd } = chosen;
  const send = async (message: SentMessage): Promise<void> => {
    setError(undefined);
    try {
      // Empty values are omitted, so that the host's defaults apply.
      const given = Object.entries({ ...chosen, cwd: cwd.trim() }).filter(([, value]) => value !== "");
      const body = Object.fromEntries(given);
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
        <BeginFields
          chosen={isDefaultNamed ? { ...chosen, model: "" } : chosen}
          models={models}
          profiles={profiles}
          folders="folders"
          onChoose={setChosen}
        />
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

interface WhichPromptProps {
  readonly model: string;
  readonly profile: string;
}

const longestLine = 80;

function WhichPrompt({ model, profile }: WhichPromptProps): JSX.Element {
  const said = words.composer;
  const loaded = useLoad(
    async (signal) => {
      const body = Object.fromEntries(Object.entries({ model, profile }).filter(([, value]) => value !== ""));
      const { explain } = await api.call(routes.previewSystemPrompt, { body, signal });
      return explain.tiers.find(({ won }) => won);
    },
    [model, profile],
  );
  const winner = loaded.state === "ready" ? loaded.value : undefined;
  const line = winner?.template?.split("\n").find((one) => one.trim() !== "") ?? "";
  return (
    <section class="which-prompt quiet" aria-busy={loaded.state === "loading"}>
      {loaded.state === "ready" && (
        <p>
          <a href={addressOf({ view: "prompt" })}>{said.prompt}</a>
          {winner === undefined ? said.noPrompt : said.promptFrom(winner.source)}
          {line !== "" && (
            <q dir="auto">{line.length > longestLine ? `${line.slice(0, longestLine).toWellFormed()}…` : line}</q>
          )}
        </p>
      )}
    </section>
  );
}
