import { describeRequester } from "@incipit/schema";
import { routes, type TrustedFolderInfo } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { CopyButton } from "../controls/copy-button.tsx";
import { Paragraph } from "../controls/fields.tsx";
import { TextList, Section } from "../controls/layout.tsx";
import { Pending } from "../controls/problem.tsx";
import { useRoute } from "../session/use-load.ts";
import { amounts } from "../text/amounts.ts";
import { setupWords } from "../text/setup-words.ts";

const said = setupWords.folders;

export function TrustedFoldersSection(): JSX.Element {
  const loaded = useRoute(routes.listTrustedFolders);
  const folders = loaded.state === "ready" ? loaded.value.folders : [];
  return (
    <Section id="trusted-folders" title={said.title} intro={said.intro}>
      <Pending of={loaded} />
      {loaded.state === "ready" && folders.length === 0 && (
        <>
          <p>{said.none}</p>
          <Command text="incipit trust add" />
        </>
      )}
      {folders.length > 0 && (
        <ul class="extensions">
          {folders.map((folder) => (
            <li key={folder.path}>
              <Folder folder={folder} />
            </li>
          ))}
        </ul>
      )}
      {loaded.state === "ready" && loaded.value.leftOut > 0 && <p>{said.leftOut(loaded.value.leftOut)}</p>}
    </Section>
  );
}

function Folder({ folder }: { readonly folder: TrustedFolderInfo }): JSX.Element {
  const { path, trustedAt, files, isRepository, wishes, problem, allowed } = folder;
  const isAsTrusted = problem === null && files.every(({ state }) => state === "trusted");
  const given = quotedForShell(path);
  return (
    <article aria-label={path} data-phase={isAsTrusted ? "active" : "waiting"}>
      <h3 dir="auto">{path}</h3>
      <p class="quiet">{said.since(amounts.time(trustedAt))}</p>
      {problem !== null && <Paragraph class="problem">{problem}</Paragraph>}
      <ul>
        {files.map(({ name, state }) => (
          <li key={name}>
            <code>{name}</code>
            {`: ${said.states[state]}`}
          </li>
        ))}
        {isRepository && <li>{said.repository}</li>}
      </ul>
      {wishes.length === 0 ? (
        <p class="quiet">{said.asksNothing}</p>
      ) : (
        <>
          <p>{said.asksFor}</p>
          <TextList texts={wishes} />
        </>
      )}
      {allowed.length > 0 && (
        <>
          <p>{said.allowed}</p>
          <ul>
            {allowed.map(({ id, by, grants }) => (
              <li key={id}>
                <bdi>
                  {describeRequester(by)}: <code>{grants.join(", ")}</code>
                </bdi>
                <Command text={`incipit trust take-back ${id}`} />
              </li>
            ))}
          </ul>
        </>
      )}
      {!isAsTrusted && problem === null && (
        <>
          <p class="quiet">{said.trustAgain}</p>
          <Command text={`incipit trust add ${given}`} />
        </>
      )}
      <p class="quiet">{said.trustNoMore}</p>
      <Command text={`incipit trust remove ${given}`} />
    </article>
  );
}

function Command({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="row command">
      <code>{text}</code>
      <CopyButton text={text} />
    </div>
  );
}

function quotedForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
