import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CopyButton } from "../controls/copy-button.tsx";
import { LongText } from "../controls/long-text.tsx";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useKept } from "../session/use-kept.ts";
import { useLoad } from "../session/use-load.ts";
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
  const asked = useSettled(template);
  const { loaded, reload } = useLoad(
    (signal) => {
      const named = model === null ? {} : { model };
      return api.call(routes.previewSystemPrompt, { body: { template: asked, ...named }, signal });
    },
    [asked, model],
  );
  const preview = useKept(loaded);
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
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
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

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** TOML escapes match JSON, except for DEL, which JSON does not escape. */
function tomlOf(text: string): string {
  return JSON.stringify(text).replaceAll("\u007F", String.raw`\u007F`);
}
