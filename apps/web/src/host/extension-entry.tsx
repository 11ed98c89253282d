import { routes, type ExtensionInfo, type SwapReportInfo } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Confirm } from "../controls/confirm.tsx";
import { Folded } from "../controls/folded.tsx";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { hostWords } from "../text/host-words.ts";
import { GrantQuestion, useGrant } from "./grant-question.tsx";

const said = hostWords.extensions;

/** Extensions that this page depends on. */
const pageNeeds: ReadonlySet<string> = new Set(["transport-http", "web-page"]);

interface EntryProps {
  readonly extension: ExtensionInfo;
  readonly onChange: () => void;
}

export function ExtensionEntry({ extension, onChange }: EntryProps): JSX.Element {
  const { id, version, phase, trust, path, callsInFlight, generation, isCodeChanged, lastError } = extension;
  const [asked, setAsked] = useState<"unload" | "remove">();
  const [error, setError] = useState<unknown>();
  const [report, setReport] = useState<SwapReportInfo>();
  const grant = useGrant();
  const trying = async (work: () => Promise<unknown>): Promise<void> => {
    setError(undefined);
    await work().catch(setError);
    onChange();
  };
  const params = { id };
  const swap = (): Promise<void> =>
    trying(async () => {
      setReport(undefined);
      setReport(await grant.trying((answer) => api.call(routes.swapExtension, { params, body: { ...answer } })));
    });
  const isRunning = phase === "active" || phase === "starting" || phase === "waiting";
  return (
    <article aria-label={id} data-phase={phase}>
      <h3>{id}</h3>
      <p class="quiet">
        {[
          said.phase[phase],
          version,
          said.generation(generation),
          trust === "core" ? said.core : said.from(path ?? ""),
          ...(callsInFlight > 0 ? [said.calls(callsInFlight)] : []),
        ].join(" · ")}
      </p>
      {isCodeChanged && <p>{said.changed}</p>}
      {lastError !== null && (
        <p class="problem" dir="auto">
          {`${said.lastError}: ${lastError.message}`}
        </p>
      )}
      <Folded title={summaryOf(extension)}>
        <Facts extension={extension} />
      </Folded>
      <div class="row">
        {isRunning ? (
          <button type="button" class="plain" onClick={() => setAsked("unload")}>
            {said.unload}
          </button>
        ) : (
          <button
            type="button"
            class="plain"
            onClick={() => void trying(() => api.call(routes.loadExtension, { params }))}
          >
            {said.load}
          </button>
        )}
        {isRunning && (
          <button type="button" class="plain" onClick={() => void swap()}>
            {said.swap}
          </button>
        )}
        {path !== null && (
          <button type="button" class="plain" onClick={() => setAsked("remove")}>
            {said.remove}
          </button>
        )}
      </div>
      {error !== undefined && <Problem error={error} />}
      {report !== undefined && (
        <p role="status" dir="auto">
          <SwapReport report={report} />
        </p>
      )}
      <GrantQuestion grant={grant} />
      {asked === "unload" && (
        <Confirm
          title={said.unloadTitle(id)}
          text={pageNeeds.has(id) ? said.unloadPage : said.unloadText}
          agree={said.unload}
          onAgree={() => void trying(() => api.call(routes.unloadExtension, { params }))}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === "remove" && (
        <Confirm
          title={said.removeTitle(id)}
          text={said.removeText}
          agree={said.remove}
          onAgree={() => void trying(() => api.call(routes.removeExtension, { params }))}
          onClose={() => setAsked(undefined)}
        />
      )}
    </article>
  );
}

function SwapReport({
  report: { outcome, from, to, tookMs, drained, cut, error },
}: {
  readonly report: SwapReportInfo;
}): JSX.Element {
  const versions = said.swapVersions(`${from.version} (${from.generation})`, `${to.version} (${to.generation})`);
  return (
    <>
      {`${said.outcome[outcome]}: ${versions}; ${said.swapText(tookMs, drained, cut)}`}
      {error !== undefined && `. ${error.message}`}
    </>
  );
}

function summaryOf({ provides, contributes, waitsFor }: ExtensionInfo): string {
  if (waitsFor.length > 0) return `${said.waitsFor} ${waitsFor.join(", ")}`;
  const gives = [...provides, ...contributes];
  return `${said.provides} ${gives.length === 0 ? said.nothing : gives.join(", ")}`;
}

function Facts({ extension }: { readonly extension: ExtensionInfo }): JSX.Element {
  const { provides, requires, uses, contributes, reads, usedBy, granted, refusals, lastSwap } = extension;
  const lists = [
    [said.provides, provides],
    [said.contributes, contributes],
    [said.requires, requires],
    [said.uses, uses],
    [said.reads, reads],
  ] as const;
  return (
    <dl>
      {lists.map(
        ([name, values]) =>
          values.length > 0 && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{values.join(", ")}</dd>
            </div>
          ),
      )}
      {usedBy.length > 0 && (
        <div>
          <dt>{said.usedBy}</dt>
          <dd>
            {usedBy.map((other, index) => (
              <span key={other}>
                {index > 0 && ", "}
                {other}
              </span>
            ))}
          </dd>
        </div>
      )}
      <div>
        <dt>{said.granted}</dt>
        <dd>
          <pre tabIndex={0}>{JSON.stringify(granted, null, 2)}</pre>
        </dd>
      </div>
      {refusals.latest.map(({ message, count }) => (
        <div key={message}>
          <dt>{`${said.refusals} ${said.times(count)}`}</dt>
          <dd dir="auto">{message}</dd>
        </div>
      ))}
      {lastSwap !== null && (
        <div>
          <dt>{said.lastSwap}</dt>
          <dd dir="auto">
            <SwapReport report={lastSwap} />
          </dd>
        </div>
      )}
    </dl>
  );
}
