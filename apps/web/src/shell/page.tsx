import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ConversationsView } from "../conversations/conversations-view.tsx";
import { HostView } from "../host/host-view.tsx";
import { problemOf } from "../session/api.ts";
import { signIn, type SignedIn } from "../session/sign-in.ts";
import { SignInView } from "../session/sign-in-view.tsx";
import { words } from "../text/words.ts";
import { Later } from "./later.tsx";
import { Navigation } from "./navigation.tsx";
import { usePlace } from "../place/place.ts";
import { signedOutEvent } from "../session/signed-out.ts";

/** The whole page: whoever is signed in sees the view that the address names. */
export function Page(): JSX.Element {
  const [session, setSession] = useState<SignedIn | "asking" | { readonly failed: string }>("asking");
  useEffect(() => {
    signIn().then(setSession, (error: unknown) => setSession({ failed: problemOf(error) }));
    const leave = (): void => setSession({ isSignedIn: false });
    addEventListener(signedOutEvent, leave);
    return () => removeEventListener(signedOutEvent, leave);
  }, []);
  if (session === "asking") return <p class="sign-in quiet">{words.session.signingIn}</p>;
  if ("failed" in session) return <SignInView problem={session.failed} />;
  if (!session.isSignedIn) return <SignInView problem={session.problem} />;
  return <SignedInPage />;
}

function SignedInPage(): JSX.Element {
  const place = usePlace();
  return (
    <div class="page">
      <a class="skip" href="#content">
        {words.nav.skip}
      </a>
      <Navigation place={place} />
      {place.view === "prompt" ? (
        <Later load={loadPrompt} />
      ) : place.view === "host" ? (
        <HostView />
      ) : (
        <ConversationsView id={place.view === "conversations" ? place.id : undefined} />
      )}
    </div>
  );
}

const loadPrompt = (): Promise<ComponentType> =>
  import("../prompt/prompt-view.tsx").then((view) => view.PromptView);
