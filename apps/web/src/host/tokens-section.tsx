import type { AccessToken } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { AskingButton } from "../controls/confirm.tsx";
import { CopyButton } from "../controls/copy-button.tsx";
import { Button } from "../controls/fields.tsx";
import { Folded } from "../controls/folded.tsx";
import { Section, Facts, Time } from "../controls/layout.tsx";
import { Pending, useTrying } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useRoute } from "../session/use-load.ts";
import { tokenWords as said } from "../text/token-words.ts";
import { NewToken, type MadeToken } from "./new-token.tsx";

export function TokensSection(): JSX.Element {
  const loaded = useRoute(routes.listTokens);
  const [made, setMade] = useState<MadeToken>();
  const { trying, problem, done, announce } = useTrying();
  const revoke = async (token: AccessToken): Promise<void> => {
    await trying(async () => {
      await api.call(routes.revokeToken, { params: { id: token.id } });
      if (made?.token.id === token.id) setMade(undefined);
      return wordsFor(token).wasRevoked(nameOf(token));
    });
    loaded.reload();
  };
  const all = loaded.state === "ready" ? loaded.value.tokens : [];
  const list = (tokens: readonly AccessToken[]): JSX.Element => (
    <ul class="tokens">
      {tokens.map((token) => {
        const maker = all.find(({ id }) => id === token.createdBy);
        return <TokenEntry key={token.id} token={token} maker={maker} onRevoke={() => void revoke(token)} />;
      })}
    </ul>
  );
  const active = all.filter(({ kind, state }) => kind === "token" && state === "active");
  const browsers = all.filter(({ kind, state }) => kind === "browser" && state === "active");
  const over = all.filter(({ state }) => state !== "active");
  return (
    <Section id="tokens" title={said.title} intro={said.intro}>
      <Pending of={loaded} />
      {loaded.state === "ready" && all.every(({ kind }) => kind === "browser") && <p>{said.none}</p>}
      {active.length > 0 && list(active)}
      {over.length > 0 && <Folded title={said.over(over.length)}>{list(over)}</Folded>}
      {problem}
      <p role="status" class="quiet">
        {done}
      </p>
      {made !== undefined && <ShownOnce made={made} onClose={() => setMade(undefined)} />}
      <NewToken
        onMade={(token) => {
          setMade(token);
          announce("");
          loaded.reload();
        }}
      />
      {browsers.length > 0 && (
        <>
          <h3>{said.browser.title}</h3>
          {list(browsers)}
        </>
      )}
    </Section>
  );
}

function nameOf({ name }: AccessToken): string {
  return name ?? said.unnamed;
}

function wordsFor({ kind }: AccessToken): Omit<typeof said.browser, "title" | "may" | "since"> {
  return kind === "browser" ? said.browser : said;
}

interface TokenEntryProps {
  readonly token: AccessToken;
  /** `undefined` for the host's own token or one no longer known. */
  readonly maker: AccessToken | undefined;
  readonly onRevoke: () => void;
}

function TokenEntry({ token, maker, onRevoke }: TokenEntryProps): JSX.Element {
  const { id, kind, scopes, state, createdAt, endsAt, revokedAt, lastUsedAt } = token;
  const end = {
    active: [said.ends, endsAt],
    ended: [said.ended, endsAt],
    revoked: [said.revoked, revokedAt ?? endsAt],
  } as const;
  const [ending, endTime] = end[state];
  const { revoke, revokeTitle, revokeText, revokeAgree } = wordsFor(token);
  const began = (
    <>
      <Time at={createdAt} />
      {maker !== undefined && ` ${said.madeBy(nameOf(maker))}`}
    </>
  );
  return (
    <li>
      <article aria-labelledby={`token-${id}`} data-state={state}>
        <h3 id={`token-${id}`} dir="auto">
          {nameOf(token)}
        </h3>
        <Facts
          class=""
          facts={[
            [said.scopes, kind === "browser" ? said.browser.may : scopes.join(", ")],
            [ending, <Time key="end" at={endTime} />],
            [said.used, lastUsedAt === null ? said.never : <Time at={lastUsedAt} />],
            [kind === "browser" ? said.browser.since : said.made, began],
          ]}
        />
        {state === "active" && (
          <p>
            <AskingButton
              text={revoke}
              class="danger"
              question={{
                title: revokeTitle(nameOf(token)),
                text: revokeText,
                agree: revokeAgree,
                onAgree: onRevoke,
              }}
            />
          </p>
        )}
      </article>
    </li>
  );
}

interface ShownOnceProps {
  readonly made: MadeToken;
  readonly onClose: () => void;
}

/** It cannot be shown again. */
function ShownOnce({ made: { token, secret }, onClose }: ShownOnceProps): JSX.Element {
  const region = useRef<HTMLElement>(null);
  useLayoutEffect(() => region.current?.focus(), [secret]);
  return (
    <section ref={region} class="made-token" aria-labelledby="made-token" tabIndex={-1}>
      <h3 id="made-token" dir="auto">
        {said.secret.title(nameOf(token))}
      </h3>
      <p>{said.secret.once}</p>
      <pre role="group" tabIndex={0} aria-label={said.secret.label}>
        {secret}
      </pre>
      <div class="row">
        <CopyButton text={secret} />
        <Button text={said.secret.done} onClick={onClose} />
      </div>
      <p>{said.secret.use}</p>
      <p>
        <code>{said.secret.line(location.origin)}</code>
      </p>
      <p>
        {/* In a new tab: navigating here would lose the token. */}
        <a href="/docs" target="_blank" rel="noopener">
          {said.secret.api}
        </a>
      </p>
    </section>
  );
}
