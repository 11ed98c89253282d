import type { Conversation } from "@incipit/schema";
import { routes, type Model } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { BeginFields } from "../controls/begin-fields.tsx";
import { Select } from "../controls/fields.tsx";
import type { BeginsWith } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { promptWords } from "../text/prompt-words.ts";
import { words } from "../text/words.ts";

/** Empty strings select the host's defaults. */
export interface Target extends BeginsWith {
  readonly conversation: Conversation | undefined;
}

export const newTarget: Target = { conversation: undefined, cwd: "", model: "", profile: "" };

export function beginsAs({ conversation, cwd, model, profile }: Target): BeginsWith {
  if (conversation === undefined) return { model, profile, cwd: cwd.trim() };
  // An agent has its own model.
  const ofModel = conversation.profile === null ? conversation.model : "";
  return { model: ofModel, profile: conversation.profile ?? "", cwd: conversation.cwd };
}

interface PreviewTargetProps {
  readonly target: Target;
  readonly models: readonly Model[];
  readonly onChange: (target: Target) => void;
}

const conversationsShown = 100;

export function PreviewTarget({ target, models, onChange }: PreviewTargetProps): JSX.Element {
  const said = promptWords.preview;
  const loaded = useLoad(async (signal) => {
    const query = { limit: conversationsShown };
    const [{ conversations }, { profiles }] = await Promise.all([
      api.call(routes.listConversations, { query, signal }),
      api.call(routes.listProfiles, { signal }),
    ]);
    return { conversations, profiles };
  }, []);
  const { conversations, profiles } = loaded.state === "ready" ? loaded.value : { conversations: [], profiles: [] };
  const { conversation } = target;
  return (
    <div class="target">
      <Select
        label={said.for}
        value={conversation?.id ?? ""}
        options={[
          ["", said.fresh],
          ...conversations.map(({ id, title }) => [id, title ?? words.conversations.untitled] as const),
        ]}
        onChoose={(chosen) => onChange({ ...target, conversation: conversations.find(({ id }) => id === chosen) })}
      />
      {conversation === undefined ? (
        <BeginFields
          chosen={target}
          models={models}
          profiles={profiles}
          onChoose={(chosen) => onChange({ ...target, ...chosen })}
        />
      ) : (
        <p class="quiet wide">
          {[conversation.model, conversation.profile, conversation.cwd].filter((part) => part !== null).join(" · ")}
        </p>
      )}
    </div>
  );
}
