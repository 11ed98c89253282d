import type { TemplateVersion } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Confirm } from "../controls/confirm.tsx";
import { Problem } from "../controls/problem.tsx";
import { TextDiffView } from "../controls/text-diff-view.tsx";
import { addressOf } from "../place/place.ts";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { compareWords } from "../text/compare-words.ts";
import { promptWords } from "../text/prompt-words.ts";
import { words } from "../text/words.ts";

interface VersionsViewProps {
  readonly current: number | null;
  readonly onRestore: (version: number) => void;
}

const pageSize = 20;

export function VersionsView({ current, onRestore }: VersionsViewProps): JSX.Element {
  const said = promptWords.versions;
  const [count, setCount] = useState(pageSize);
  const [restoring, setRestoring] = useState<number>();
  const { loaded, reload } = useLoad(
    (signal) => api.call(routes.listTemplateVersions, { query: { limit: count }, signal }),
    [current, count],
  );
  return (
    <section class="versions" aria-labelledby="versions-title">
      <h2 id="versions-title">{said.title}</h2>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" && (
        <>
          {loaded.value.versions.length === 0 && <p class="quiet">{said.none}</p>}
          <ol>
            {loaded.value.versions.map((version) => (
              <Version
                key={version.version}
                version={version}
                current={loaded.value.current}
                onRestore={() => setRestoring(version.version)}
              />
            ))}
          </ol>
          {loaded.value.damaged.map((version) => (
            <p key={version}>{said.damaged(version)}</p>
          ))}
          {loaded.value.nextCursor !== undefined && (
            <button type="button" onClick={() => setCount(count + pageSize)}>
              {said.more}
            </button>
          )}
        </>
      )}
      {restoring !== undefined && (
        <Confirm
          title={said.restoreTitle(restoring)}
          text={said.restoreText}
          agree={said.restore}
          onAgree={() => onRestore(restoring)}
          onClose={() => setRestoring(undefined)}
        />
      )}
    </section>
  );
}

interface VersionProps {
  readonly version: TemplateVersion;
  readonly current: number | null;
  readonly onRestore: () => void;
}

function Version({
  version: { version, createdAt, sha256, sizeBytes, author, note },
  current,
  onRestore,
}: VersionProps): JSX.Element {
  const said = promptWords.versions;
  const [isOpen, setIsOpen] = useState(false);
  const size = sha256 === null ? said.removed : promptWords.variables.bytes(amounts.count(sizeBytes));
  return (
    <li>
      <p>
        <strong>{said.name(version)}</strong> {version === current && <span class="mark">{said.current}</span>}{" "}
        {note !== null && <span dir="auto">{note}</span>}
      </p>
      <p class="quiet">{[amounts.time(createdAt), author, size].filter((part) => part !== null).join(" · ")}</p>
      <div class="row">
        <button type="button" class="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {said.changes}
        </button>
        <a
          class="button plain"
          href={addressOf({
            view: "compare",
            left: `version:${version}`,
            right: current === null || current === version ? undefined : `version:${current}`,
          })}
          aria-label={compareWords.linkLabel(version)}
        >
          {compareWords.link}
        </a>
        {version !== current && (
          <button
            type="button"
            class="plain"
            aria-label={`${said.restore} ${said.name(version)}`}
            onClick={onRestore}
          >
            {said.restore}
          </button>
        )}
      </div>
      {isOpen && <VersionDiff version={version} current={current} />}
    </li>
  );
}

type Against = "before" | "current";

function VersionDiff({
  version,
  current,
}: Pick<VersionProps, "current"> & { readonly version: number }): JSX.Element {
  const said = promptWords.versions;
  const [against, setAgainst] = useState<Against>("before");
  const { loaded, reload } = useLoad(
    (signal) => {
      const isCurrent = against === "current" && current !== null;
      const params = { v: String(isCurrent ? current : version) };
      const query = isCurrent ? { against: String(version) } : {};
      return api.call(routes.diffTemplateVersions, { params, query, signal });
    },
    [version, current, against],
  );
  return (
    <>
      {current !== null && version !== current && (
        <div class="row" role="group" aria-label={said.changes}>
          {(["before", "current"] as const).map((choice) => (
            <button key={choice} type="button" aria-pressed={against === choice} onClick={() => setAgainst(choice)}>
              {choice === "before" ? said.fromBefore : said.fromCurrent}
            </button>
          ))}
        </div>
      )}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" && (
        <TextDiffView
          diff={loaded.value}
          label={said.diffLabel(version)}
          same={said.same}
          cut={(rest) => said.cut(amounts.count(rest))}
        />
      )}
    </>
  );
}
