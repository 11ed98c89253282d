import { routes } from "@incipit/transport-contract";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ConversationsView } from "../conversations/conversations-view.tsx";
import { DeletionNotices } from "../conversations/deletion-notices.tsx";
import { Commands, CommandsContext } from "../controls/commands.ts";
import { api, problemOf } from "../session/api.ts";
import { signIn, type SignedIn } from "../session/sign-in.ts";
import { SignInView } from "../session/sign-in-view.tsx";
import { words } from "../text/words.ts";
import { CommandCenter } from "./command-center.tsx";
import { Later } from "./later.tsx";
import { Navigation } from "./navigation.tsx";
import { usePlace, type Place } from "../place/place.ts";
import { signedOut, signedOutEvent } from "../session/signed-out.ts";

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
  const [commands] = useState(() => new Commands());
  const signOut = (): void => {
    void leave();
  };
  return (
    <CommandsContext.Provider value={commands}>
      <div class="page">
        <a class="skip" href="#content">
          {words.nav.skip}
        </a>
        <Navigation place={place} onSignOut={signOut} />
        <View place={place} />
        <DeletionNotices />
        <CommandCenter onSignOut={signOut} />
      </div>
    </CommandsContext.Provider>
  );
}

async function leave(): Promise<void> {
  await api.call(routes.signOut);
  signedOut();
}

function View({ place }: { readonly place: Place }): JSX.Element {
  switch (place.view) {
    case "told":
      return <Later key="told" load={loadTold} props={{ key: place.id, id: place.id, stepId: place.stepId }} />;
    case "conversations":
      return <ConversationsView id={place.id} />;
    case "host":
      return <Later key="host" load={loadHost} props={{}} />;
    case "calls":
      return <Later key="calls" load={loadCalls} props={{ id: place.id }} />;
    case "costs":
      return <Later key="costs" load={loadCosts} props={{ day: place.day }} />;
    case "prompt":
      return <Later key="prompt" load={loadPrompt} props={{}} />;
  }
}

const loadPrompt = async () => (await import("../prompt/prompt-view.tsx")).PromptView;
const loadCalls = async () => (await import("../calls/calls-view.tsx")).CallsView;
const loadCosts = async () => (await import("../costs/costs-view.tsx")).CostsView;
const loadHost = async () => (await import("../host/host-view.tsx")).HostView;
const loadTold = async () => (await import("../told/told-view.tsx")).ToldView;
