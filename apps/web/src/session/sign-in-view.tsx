import type { JSX } from "preact";
import { words } from "../text/words.ts";

/** What somebody sees whom the host does not know. */
export function SignInView({ problem }: { readonly problem: string | undefined }): JSX.Element {
  const { session, state } = words;
  return (
    <main class="sign-in" id="content">
      <h1>{session.title}</h1>
      {problem === undefined ? <p>{session.why}</p> : <p role="alert">{`${state.failed}: ${problem}`}</p>}
      <p>{session.how}</p>
      <pre tabIndex={0}>{session.command}</pre>
      <p>{session.orSource}</p>
      <pre tabIndex={0}>{session.sourceCommand}</pre>
      <p class="quiet">{session.once}</p>
      <button type="button" onClick={() => location.reload()}>
        {session.again}
      </button>
    </main>
  );
}
