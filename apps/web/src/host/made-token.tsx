import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CopyButton } from "../controls/copy-button.tsx";
import { tokenWords } from "../text/token-words.ts";
import type { MadeToken } from "./new-token.tsx";
import { nameOf } from "./token-entry.tsx";

const said = tokenWords.secret;

/** It cannot be shown again. */
export function ShownOnce({
  made: { token, secret },
  onClose,
}: {
  readonly made: MadeToken;
  readonly onClose: () => void;
}): JSX.Element {
  const region = useRef<HTMLElement>(null);
  useLayoutEffect(() => region.current?.focus(), [secret]);
  return (
    <section ref={region} class="made-token" aria-labelledby="made-token" tabIndex={-1}>
      <h3 id="made-token" dir="auto">
        {said.title(nameOf(token))}
      </h3>
      <p>{said.once}</p>
      <pre role="group" tabIndex={0} aria-label={said.label}>
        {secret}
      </pre>
      <div class="row">
        <CopyButton text={secret} />
        <button type="button" onClick={onClose}>
          {said.done}
        </button>
      </div>
      <p>{said.use}</p>
      <p>
        <code>{said.line(location.origin)}</code>
      </p>
      <p>
        {/* In a new tab: navigating here would lose the token. */}
        <a href="/docs" target="_blank" rel="noopener">
          {said.api}
        </a>
      </p>
    </section>
  );
}
