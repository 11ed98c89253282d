import type { Conversation } from "@incipit/schema";
import { routes, type Model } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { api } from "../session/api.ts";
import type { BeginsWith } from "../place/place.ts";
import { useLoad } from "../session/use-load.ts";
import { promptWords } from "../text/prompt-words.ts";
import { words } from "../text/words.ts";

/** Empty strings select the host's defaults. */
export interface Target {
  readonly conversation: Conversation | undefined;
  readonly cwd: string;
  readonly model: string;
  readonly profile: string;
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
  const { loaded } = useLoad(async (signal) => {
    const query = { limit: conversationsShown };
    const [{ conversations }, { profiles }] = await Promise.all([
      api.call(routes.listConversations, { query, signal }),
      api.call(routes.listProfiles, { signal }),
    ]);
    return { conversations, profiles };
  }, []);
  const { conversations, profiles } = loaded.state === "ready" ? loaded.value : { conversations: [], profiles: [] };
  const { conversation } = target;
  const ofProfile = profiles.find(({ name }) => name === target.profile)?.model;
  return (
    <div class="target">
      <label>
        <span>{said.for}</span>
        <select
          value={conversation?.id ?? ""}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...target, conversation: conversations.find(({ id }) => id === value) })
          }
        >
          <option value="">{said.fresh}</option>
          {conversations.map(({ id, title }) => (
            <option key={id} value={id}>
              {title ?? words.conversations.untitled}
            </option>
          ))}
        </select>
      </label>
      {conversation === undefined ? (
        <>
          <label>
            <span>{said.model}</span>
            <select
              value={target.model}
              onChange={({ currentTarget }) => onChange({ ...target, model: currentTarget.value })}
            >
              {models.map(({ id, isDefault }) => (
                <option key={id} value={isDefault ? "" : id}>
                  {isDefault && ofProfile != null ? said.profileModel(ofProfile) : id}
                </option>
              ))}
            </select>
          </label>
          {profiles.length > 0 && (
            <label>
              <span>{said.profile}</span>
              <select
                value={target.profile}
                onChange={({ currentTarget }) => onChange({ ...target, profile: currentTarget.value })}
              >
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
            <span>{said.cwd}</span>
            <input
              value={target.cwd}
              placeholder={said.cwdHint}
              spellcheck={false}
              dir="ltr"
              onInput={({ currentTarget }) => onChange({ ...target, cwd: currentTarget.value })}
            />
          </label>
        </>
      ) : (
        <p class="quiet wide">
          {[conversation.model, conversation.profile, conversation.cwd].filter((part) => part !== null).join(" · ")}
        </p>
      )}
    </div>
  );
}
