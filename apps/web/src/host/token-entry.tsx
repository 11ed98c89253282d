import type { AccessToken } from "@incipit/schema";
import type { JSX } from "preact";
import { amounts } from "../text/amounts.ts";
import { tokenWords as said } from "../text/token-words.ts";

interface TokenEntryProps {
  readonly token: AccessToken;
  /** `undefined` for the host's own token or one no longer known. */
  readonly maker: string | undefined;
  readonly onRevoke: () => void;
}

export function nameOf({ name }: AccessToken): string {
  return name ?? said.unnamed;
}

export function TokenEntry({ token, maker, onRevoke }: TokenEntryProps): JSX.Element {
  const { id, kind, scopes, state, createdAt, endsAt, revokedAt, lastUsedAt } = token;
  const end = {
    active: [said.ends, endsAt],
    ended: [said.ended, endsAt],
    revoked: [said.revoked, revokedAt ?? endsAt],
  } as const;
  const [ending, endTime] = end[state];
  return (
    <li>
      <article aria-labelledby={`token-${id}`} data-state={state}>
        <h3 id={`token-${id}`} dir="auto">
          {nameOf(token)}
        </h3>
        <dl>
          <dt>{said.scopes}</dt>
          <dd>{kind === "browser" ? said.browser.may : scopes.join(", ")}</dd>
          <dt>{ending}</dt>
          <dd>
            <time dateTime={endTime}>{amounts.time(endTime)}</time>
          </dd>
          <dt>{said.used}</dt>
          <dd>
            {lastUsedAt === null ? said.never : <time dateTime={lastUsedAt}>{amounts.time(lastUsedAt)}</time>}
          </dd>
          <dt>{kind === "browser" ? said.browser.since : said.made}</dt>
          <dd dir="auto">
            <time dateTime={createdAt}>{amounts.time(createdAt)}</time>
            {maker !== undefined && ` ${said.madeBy(maker)}`}
          </dd>
        </dl>
        {state === "active" && (
          <p>
            <button type="button" class="danger" onClick={onRevoke}>
              {kind === "browser" ? said.browser.revoke : said.revoke}
            </button>
          </p>
        )}
      </article>
    </li>
  );
}
