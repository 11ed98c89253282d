import type { PreviewSystemPromptResponse, Explain } from "@incipit/schema";
import { type Model, routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useCallback, useRef, useState } from "preact/hooks";
import { CopyButton } from "../controls/copy-button.tsx";
import { Problem } from "../controls/problem.tsx";
import { PromptParts } from "../controls/prompt-parts.tsx";
import { api } from "../session/api.ts";
import { useSettled } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { promptWords } from "../text/prompt-words.ts";
import { LeftOutFiles } from "./left-out-files.tsx";
import { PartDetails } from "./part-details.tsx";
import { PreviewTarget, type Target } from "./preview-target.tsx";
import { type Newest, useNewest } from "./use-newest.ts";

interface PreviewPaneProps {
  /** The text in the editor. */
  readonly text: string;
  readonly preview: Newest<PreviewSystemPromptResponse>;
  readonly target: Target;
  readonly models: readonly Model[];
  readonly onTarget: (target: Target) => void;
  readonly onReveal: (from: number, to: number) => void;
}

type Tier = PreviewSystemPromptResponse["explain"]["tiers"][number];

/** The host's name for the previewed template. */
const draftSource = "template of the preview";

export function PreviewPane({ text, preview, target, models, onTarget, onReveal }: PreviewPaneProps): JSX.Element {
  const said = promptWords.preview;
  const { value, error, isAsking } = preview;
  const [pointed, setPointed] = useState<number>();
  // Parts are redrawn only for a new text.
  const latest = useRef({ text, value, onReveal });
  latest.current = { text, value, onReveal };
  const choose = useCallback((index: number): void => {
    const explain = latest.current.value?.explain;
    const range = explain?.ranges[index];
    const winner = explain?.tiers.find(({ won }) => won);
    if (range === undefined || range.tier !== winner?.tier || !isOfText(winner, latest.current.text)) return;
    if (range.templateStart !== null && range.templateEnd !== null)
      latest.current.onReveal(range.templateStart, range.templateEnd);
  }, []);
  const winner = value?.explain.tiers.find(({ won }) => won);
  return (
    <section class="preview" aria-labelledby="preview-title" aria-busy={isAsking}>
      <h2 id="preview-title">{said.title}</h2>
      <PreviewTarget target={target} models={models} onChange={onTarget} />
      {error !== undefined && <Problem error={error} onRetry={preview.retry} />}
      {target.conversation !== undefined && <p class="quiet">{said.begun}</p>}
      {winner !== undefined && !isAsking && !isOfText(winner, text) && (
        <p class="away" role="status">
          {said.notUsed(winner.source)}
        </p>
      )}
      {value === undefined ? (
        isAsking && <p class="quiet">{said.asking}</p>
      ) : (
        <>
          <p class="measure quiet">
            <Measure preview={value} models={models} /> <CopyButton text={value.systemPrompt} />
          </p>
          {value.systemPrompt === "" ? (
            <p>{said.empty}</p>
          ) : (
            <>
              <PromptParts
                text={value.systemPrompt}
                ranges={value.explain.ranges}
                label={said.label}
                keys={said.keys}
                onPoint={setPointed}
                onChoose={choose}
              />
              <PartDetails preview={value} index={pointed} />
            </>
          )}
          <h3>{promptWords.variables.title}</h3>
          <VariableList variables={value.explain.variables} />
          <h3>{promptWords.tiers.title}</h3>
          <p class="quiet">{promptWords.tiers.text}</p>
          <TierStack tiers={value.explain.tiers} draftSource={draftSource} />
        </>
      )}
    </section>
  );
}

/** The host previews the unchanged default as the default. */
function isOfText({ source, template }: Tier, text: string): boolean {
  return source === draftSource || template === text;
}

function Measure({
  preview: { explain },
  models,
}: {
  readonly preview: PreviewSystemPromptResponse;
  readonly models: readonly Model[];
}): JSX.Element {
  const said = promptWords.preview;
  const { count, method } = explain.tokens;
  const window = models.find(({ id }) => id === explain.model)?.facts?.contextWindow ?? null;
  const tokens = method === "estimate" ? `${said.estimated} ${amounts.count(count)}` : amounts.count(count);
  const share =
    window === null
      ? said.noWindow
      : said.share(
          (count / window).toLocaleString("en", { style: "percent", maximumSignificantDigits: 2 }),
          amounts.count(window),
        );
  return (
    <span>
      {[said.size(amounts.count(explain.sizeBytes), tokens), explain.model, share].filter(Boolean).join(" · ")}
    </span>
  );
}

/** The winning source first, then in order of precedence. */
function TierStack({ tiers, draftSource }: Pick<Explain, "tiers"> & { readonly draftSource: string }): JSX.Element {
  const said = promptWords.tiers;
  return (
    <ul class="tiers">
      {tiers
        .toSorted((one, other) => Number(other.won) - Number(one.won))
        .map(({ position, source, won, reason, template }) => (
          <li key={position} data-state={won ? "won" : template === null ? "unset" : "lost"}>
            <span class="quiet">{said.place(position)}</span>{" "}
            <span>{source === draftSource ? said.draft : source}</span>{" "}
            {won && <strong class="mark">{said.wins}</strong>}{" "}
            <span class="quiet">{reason.replaceAll(draftSource, said.draft)}</span>
          </li>
        ))}
    </ul>
  );
}

const shownAtOnce = 200;

function VariableList({ variables }: Pick<Explain, "variables">): JSX.Element {
  const said = promptWords.variables;
  if (variables.length === 0) return <p class="quiet">{said.none}</p>;
  return (
    <ul class="variables">
      {variables
        .slice(0, shownAtOnce)
        .map(({ type, name, kind, reason, sizeBytes, detail, source, trust, files, leftOut }) => (
          <li key={`${type}:${name}`} data-kind={kind}>
            <code>{`[${type}:${name}]`}</code>{" "}
            <span>
              {kind === "value" || reason === null
                ? said.bytes(amounts.count(sizeBytes))
                : said.blank(said.reasons[reason])}
            </span>{" "}
            <span class="quiet" dir="auto">
              {[
                leftOut === undefined ? detail : files?.map(({ path }) => path).join(", "),
                source,
                trust === null ? null : promptWords.preview.trust[trust],
              ]
                .filter((part) => part !== null && part !== undefined && part !== "")
                .join(" · ")}
            </span>
            <LeftOutFiles leftOut={leftOut} />
          </li>
        ))}
    </ul>
  );
}

const cwdDelayMs = 300;

export function usePreview(template: string, target: Target): Newest<PreviewSystemPromptResponse> {
  const { conversation, model, profile } = target;
  const cwd = useSettled(target.cwd.trim(), cwdDelayMs);
  const made =
    conversation === undefined
      ? { cwd, model, profile }
      : {
          cwd: conversation.cwd,
          model: conversation.model,
          profile: conversation.profile ?? "",
          conversationId: conversation.id,
        };
  // Empty values are omitted, so that the host's defaults apply.
  const said = Object.fromEntries(Object.entries(made).filter(([, value]) => value !== ""));
  return useNewest({
    ask: (signal) => api.call(routes.previewSystemPrompt, { body: { template, ...said }, signal }),
    keys: [template, cwd, conversation?.id, model, profile],
    delayMs: 0,
  });
}
