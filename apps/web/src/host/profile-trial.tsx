import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { CopyButton } from "../controls/copy-button.tsx";
import { LongText } from "../controls/long-text.tsx";
import { Pending } from "../controls/problem.tsx";
import { useRoute, useSettled } from "../session/use-load.ts";
import { setupWords } from "../text/setup-words.ts";

const said = setupWords.profiles;

const pauseMs = 250;

interface TrialProps {
  readonly name: string;
  /** `null`: host's default. */
  readonly model: string | null;
  readonly kept: string | undefined;
  readonly place: string | undefined;
}

/** Nothing is stored. */
export function ProfileTrial({ name, model, kept, place }: TrialProps): JSX.Element {
  const [template, setTemplate] = useState(kept ?? "");
  const asked = useSettled(template, pauseMs);
  const body = { template: asked, ...(model === null ? {} : { model }) };
  const loaded = useRoute(routes.previewSystemPrompt, { body });
  const preview = loaded.known;
  const lines = `[profiles.${name}]\n${model === null ? "" : `model = ${JSON.stringify(model)}\n`}system_prompt = ${tomlOf(template)}\n`;
  return (
    <div class="trial">
      <p class="quiet">{said.editIntro}</p>
      <div class="sides">
        <label>
          {said.editor(name)}
          <textarea
            rows={8}
            value={template}
            dir="auto"
            spellcheck={false}
            onInput={({ currentTarget }) => setTemplate(currentTarget.value)}
          />
        </label>
        <div>
          <p>{said.preview}</p>
          {preview?.systemPrompt === "" && <p class="quiet">{said.empty}</p>}
          {preview !== undefined && preview.systemPrompt !== "" && (
            <LongText text={preview.systemPrompt} label={`${said.preview}: ${name}`} />
          )}
        </div>
      </div>
      {loaded.state === "failed" && <Pending of={loaded} />}
      {template !== (kept ?? "") && (
        <>
          <p>{said.toKeep(place ?? said.somewhere)}</p>
          <LongText text={lines} label={said.snippet} />
          <div class="row">
            <CopyButton text={lines} />
          </div>
        </>
      )}
    </div>
  );
}

/** TOML escapes match JSON, except for DEL, which JSON does not escape. */
function tomlOf(text: string): string {
  return JSON.stringify(text).replaceAll("\u007F", String.raw`\u007F`);
}
