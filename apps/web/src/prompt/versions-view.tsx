import type { TemplateVersion } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { AskingButton } from "../controls/confirm.tsx";
import { Button } from "../controls/fields.tsx";
import { Pending } from "../controls/problem.tsx";
import { TextDiffView } from "../controls/text-diff-view.tsx";
import { addressOf } from "../place/place.ts";
import { useRoute } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { compareWords } from "../text/compare-words.ts";
import { promptWords } from "../text/prompt-words.ts";

interface VersionsViewProps {
  readonly current: number | null;
  readonly onRestore: (version: number) => void;
}

const pageSize = 20;

export function VersionsView({ current, onRestore }: VersionsViewProps): JSX.Element {
  const said = promptWords.versions;
  const [count, setCount] = useState(pageSize);
  const loaded = useRoute(routes.listTemplateVersions, { query: { limit: count } }, [current]);
  return (
    <section class="versions" aria-labelledby="versions-title">
      <h2 id="versions-title">{said.title}</h2>
      <Pending of={loaded} />
      {loaded.state === "ready" && (
        <>
          {loaded.value.versions.length === 0 && <p class="quiet">{said.none}</p>}
          <ol>
            {loaded.value.versions.map((version) => (
              <Version
                key={version.version}
                version={version}
                current={loaded.value.current}
                onRestore={() => onRestore(version.version)}
              />
            ))}
          </ol>
          {loaded.value.damaged.map((version) => (
            <p key={version}>{said.damaged(version)}</p>
          ))}
          {loaded.value.nextCursor !== undefined && (
            <Button text={said.more} onClick={() => setCount(count + pageSize)} />
          )}
        </>
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
        <Button text={said.changes} class="plain" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)} />
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
          <AskingButton
            text={said.restore}
            class="plain"
            aria-label={`${said.restore} ${said.name(version)}`}
            question={{
              title: said.restoreTitle(version),
              text: said.restoreText,
              agree: said.restore,
              onAgree: onRestore,
            }}
          />
        )}
      </div>
      {isOpen && <VersionDiff version={version} current={current} />}
    </li>
  );
}

interface VersionDiffProps {
  readonly version: number;
  readonly current: number | null;
}

function VersionDiff({ version, current }: VersionDiffProps): JSX.Element {
  const said = promptWords.versions;
  const [against, setAgainst] = useState<"before" | "current">("before");
  const isCurrent = against === "current" && current !== null;
  const params = { v: String(isCurrent ? current : version) };
  const query = isCurrent ? { against: String(version) } : {};
  const loaded = useRoute(routes.diffTemplateVersions, { params, query });
  return (
    <>
      {current !== null && version !== current && (
        <div class="row" role="group" aria-label={said.changes}>
          {(["before", "current"] as const).map((choice) => (
            <Button
              text={choice === "before" ? said.fromBefore : said.fromCurrent}
              key={choice}
              aria-pressed={against === choice}
              onClick={() => setAgainst(choice)}
            />
          ))}
        </div>
      )}
      {loaded.state === "failed" && <Pending of={loaded} />}
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
