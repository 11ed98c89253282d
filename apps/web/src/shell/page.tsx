import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Commands, CommandsContext } from "../controls/commands.ts";
import { Confirm } from "../controls/confirm.tsx";
import { Problem } from "../controls/problem.tsx";
import { ConversationsView } from "../conversations/conversations-view.tsx";
import { DeletionNotices } from "../conversations/deletion-notices.tsx";
import { useDeletions } from "../conversations/deletions.ts";
import { usePlace, type Place } from "../place/place.ts";
import { removeKeptHere } from "../session/kept-here.ts";
import { SignInView } from "./sign-in-view.tsx";
import { useSession } from "../session/use-session.ts";
import { words } from "../text/words.ts";
import { CommandCenter, type OpenCommands } from "./command-center.tsx";
import { Later } from "./later.tsx";
import { Navigation } from "./navigation.tsx";
import { useSignOut } from "./use-sign-out.ts";

export function Page(): JSX.Element {
  const { session, look } = useSession();
  const reason = "reason" in session ? session.reason : undefined;
  // After the views are unmounted, which store their drafts then.
  useEffect(() => {
    if (reason === "left") removeKeptHere();
  }, [reason]);
  if (session.isSignedIn === "asking") return <p class="sign-in quiet">{words.session.signingIn}</p>;
  if (session.isSignedIn === true) return <SignedInPage />;
  return (
    <SignInView
      problem={"problem" in session ? session.problem : undefined}
      {...(reason === undefined ? {} : { reason })}
      onLook={look}
    />
  );
}

function SignedInPage(): JSX.Element {
  const place = usePlace();
  const [commands] = useState(() => new Commands());
  const [open, setOpen] = useState<OpenCommands>();
  const deletions = useDeletions();
  const signOut = useSignOut(deletions);
  return (
    <CommandsContext.Provider value={commands}>
      <div class="page">
        <a class="skip" href="#content">
          {words.nav.skip}
        </a>
        <Navigation place={place} onCommands={() => setOpen("palette")} onSignOut={signOut.begin} />
        <View place={place} />
        <div>
          {signOut.error !== undefined && <Problem error={signOut.error} onRetry={signOut.begin} />}
          <DeletionNotices deletions={deletions} />
        </div>
        <CommandCenter open={open} onOpen={setOpen} onSignOut={signOut.begin} />
        {signOut.asked !== undefined && (
          <Confirm
            title={words.session.outTitle}
            text={words.session.outText(signOut.asked, deletions.length)}
            agree={words.session.out}
            onAgree={signOut.agree}
            onClose={signOut.cancel}
          />
        )}
      </div>
    </CommandsContext.Provider>
  );
}

function View({ place }: { readonly place: Place }): JSX.Element {
  switch (place.view) {
    case "told":
      return <Later key="told" load={loadTold} props={{ key: place.id, id: place.id, stepId: place.stepId }} />;
    case "conversations":
      return <ConversationsView id={place.id} beginsWith={place.beginsWith} />;
    case "agent":
      // Keyed by name, so that each agent gets a new editor.
      return <Later key={`agent/${place.name ?? ""}`} load={loadAgent} props={{ name: place.name }} />;
    case "host":
      return <Later key="host" load={loadHost} props={{}} />;
    case "calls":
      return <Later key="calls" load={loadCalls} props={{ id: place.id }} />;
    case "compare":
      return <Later key="compare" load={loadCompare} props={{ left: place.left, right: place.right }} />;
    case "costs":
      return <Later key="costs" load={loadCosts} props={{ day: place.day }} />;
    case "channels":
      return <Later key="channels" load={loadChannels} props={{}} />;
    case "schedules":
      return <Later key="schedules" load={loadSchedules} props={{}} />;
    case "prompt":
      return <Later key="prompt" load={loadPrompt} props={{}} />;
  }
}

const loadAgent = async () => (await import("../agents/agent-view.tsx")).AgentView;
const loadPrompt = async () => (await import("../prompt/prompt-view.tsx")).PromptView;
const loadChannels = async () => (await import("../channels/channels-view.tsx")).ChannelsView;
const loadCalls = async () => (await import("../calls/call-view.tsx")).CallsView;
const loadCompare = async () => (await import("../compare/compare-view.tsx")).CompareView;
const loadCosts = async () => (await import("../costs/costs-view.tsx")).CostsView;
const loadHost = async () => (await import("../host/host-view.tsx")).HostView;
const loadSchedules = async () => (await import("../schedules/schedules-view.tsx")).SchedulesView;
const loadTold = async () => (await import("../told/inspector-view.tsx")).InspectorView;
