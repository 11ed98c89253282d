import type { AccessToken } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Confirm } from "../controls/confirm.tsx";
import { Folded } from "../controls/folded.tsx";
import { Problem } from "../controls/problem.tsx";
import { api } from "../session/api.ts";
import { useLoad } from "../session/use-load.ts";
import { tokenWords as said } from "../text/token-words.ts";
import { words } from "../text/words.ts";
import { ShownOnce } from "./made-token.tsx";
import { NewToken, type MadeToken } from "./new-token.tsx";
import { nameOf, TokenEntry } from "./token-entry.tsx";

export function TokensSection(): JSX.Element {
  const { loaded, reload } = useLoad((signal) => api.call(routes.listTokens, { signal }), []);
  const [made, setMade] = useState<MadeToken>();
  const [asked, setAsked] = useState<AccessToken>();
  const [revoked, setRevoked] = useState<AccessToken>();
  const [error, setError] = useState<unknown>();
  const revoke = async (token: AccessToken): Promise<void> => {
    setError(undefined);
    try {
      await api.call(routes.revokeToken, { params: { id: token.id } });
      setRevoked(token);
      if (made?.token.id === token.id) setMade(undefined);
    } catch (cause) {
      setError(cause);
    }
    reload();
  };
  const all = loaded.state === "ready" ? loaded.value.tokens : [];
  const list = (tokens: readonly AccessToken[]): JSX.Element => (
    <ul class="tokens">
      {tokens.map((token) => {
        const maker = all.find(({ id }) => id === token.createdBy);
        return (
          <TokenEntry
            key={token.id}
            token={token}
            maker={maker === undefined ? undefined : nameOf(maker)}
            onRevoke={() => setAsked(token)}
          />
        );
      })}
    </ul>
  );
  const active = all.filter(({ kind, state }) => kind === "token" && state === "active");
  const browsers = all.filter(({ kind, state }) => kind === "browser" && state === "active");
  const over = all.filter(({ state }) => state !== "active");
  return (
    <section aria-labelledby="tokens">
      <h2 id="tokens">{said.title}</h2>
      <p class="quiet">{said.intro}</p>
      {loaded.state === "loading" && <p class="quiet">{words.state.loading}</p>}
      {loaded.state === "failed" && <Problem error={loaded.error} onRetry={reload} />}
      {loaded.state === "ready" && all.every(({ kind }) => kind === "browser") && <p>{said.none}</p>}
      {active.length > 0 && list(active)}
      {over.length > 0 && <Folded title={said.over(over.length)}>{list(over)}</Folded>}
      {error !== undefined && <Problem error={error} />}
      <p role="status" class="quiet">
        {revoked !== undefined &&
          (revoked.kind === "browser" ? said.browser.wasRevoked : said.wasRevoked)(nameOf(revoked))}
      </p>
      {made !== undefined && <ShownOnce made={made} onClose={() => setMade(undefined)} />}
      <NewToken
        onMade={(token) => {
          setMade(token);
          setRevoked(undefined);
          reload();
        }}
      />
      {browsers.length > 0 && (
        <>
          <h3>{said.browser.title}</h3>
          {list(browsers)}
        </>
      )}
      {asked !== undefined && (
        <Confirm
          title={
            asked.kind === "browser" ? said.browser.revokeTitle(nameOf(asked)) : said.revokeTitle(nameOf(asked))
          }
          text={asked.kind === "browser" ? said.browser.revokeText : said.revokeText}
          agree={asked.kind === "browser" ? said.browser.revokeAgree : said.revokeAgree}
          onAgree={() => void revoke(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}
