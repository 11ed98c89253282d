import { routes, type ExtensionInfo, type SwapReportInfo } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { AskingButton } from "../controls/confirm.tsx";
import { Button, Paragraph } from "../controls/fields.tsx";
import { Folded } from "../controls/folded.tsx";
import type { Fact } from "../controls/layout.tsx";
import { useTrying } from "../controls/problem.tsx";
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
  const { trying, problem } = useTrying();
  const [report, setReport] = useState<SwapReportInfo>();
  const grant = useGrant();
  const change = async (work: () => Promise<unknown>): Promise<void> => {
    await trying(work);
    onChange();
  };
  const params = { id };
  const swap = (): Promise<void> =>
    change(async () => {
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
      {lastError !== null && <Paragraph class="problem">{`${said.lastError}: ${lastError.message}`}</Paragraph>}
      <Folded title={summaryOf(extension)}>
        <Details extension={extension} />
      </Folded>
      <div class="row">
        {isRunning ? (
          <AskingButton
            text={said.unload}
            class="plain"
            question={{
              title: said.unloadTitle(id),
              text: pageNeeds.has(id) ? said.unloadPage : said.unloadText,
              agree: said.unload,
              onAgree: () => void change(() => api.call(routes.unloadExtension, { params })),
            }}
          />
        ) : (
          <Button
            text={said.load}
            class="plain"
            onClick={() => void change(() => api.call(routes.loadExtension, { params }))}
          />
        )}
        {isRunning && <Button text={said.swap} class="plain" onClick={() => void swap()} />}
        {path !== null && (
          <AskingButton
            text={said.remove}
            class="plain"
            question={{
              title: said.removeTitle(id),
              text: said.removeText,
              agree: said.remove,
              onAgree: () => void change(() => api.call(routes.removeExtension, { params })),
            }}
          />
        )}
      </div>
      {problem}
      {report !== undefined && (
        <Paragraph role="status">
          <SwapReport report={report} />
        </Paragraph>
      )}
      <GrantQuestion grant={grant} />
    </article>
  );
}

function SwapReport({ report }: { readonly report: SwapReportInfo }): JSX.Element {
  const { outcome, from, to, tookMs, drained, cut, error } = report;
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

function Details({ extension }: { readonly extension: ExtensionInfo }): JSX.Element {
  const { provides, requires, uses, contributes, reads, usedBy, granted, refusals, lastSwap } = extension;
  const facts: readonly Fact[] = [
    [said.provides, provides.join(", ")],
    [said.contributes, contributes.join(", ")],
    [said.requires, requires.join(", ")],
    [said.uses, uses.join(", ")],
    [said.reads, reads.join(", ")],
    [said.usedBy, usedBy.join(", ")],
    [
      said.granted,
      <pre key="granted" tabIndex={0}>
        {JSON.stringify(granted, null, 2)}
      </pre>,
    ],
    ...refusals.latest.map(({ message, count }): Fact => [`${said.refusals} ${said.times(count)}`, message]),
    [said.lastSwap, lastSwap && <SwapReport report={lastSwap} />],
  ];
  return (
    <dl>
      {facts.map(
        ([name, value], index) =>
          value !== "" &&
          value !== null && (
            <div key={index}>
              <dt>{name}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
