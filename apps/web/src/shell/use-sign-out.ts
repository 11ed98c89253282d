import { routes } from "@incipit/transport-contract";
import { useState } from "preact/hooks";
import { erase, type Deletion } from "../conversations/deletions.ts";
import { api } from "../session/api.ts";
import { unsavedHere, type Unsaved } from "../session/kept-here.ts";
import { left } from "../session/signed-out.ts";

interface SignOut {
  readonly asked: Unsaved | undefined;
  readonly error: unknown;
  /** Asks first if data would be lost. */
  readonly begin: () => void;
  readonly agree: () => void;
  readonly cancel: () => void;
}

/** Erases pending deletions first, and removes all user data from this browser. */
export function useSignOut(deletions: readonly Deletion[]): SignOut {
  const [asked, setAsked] = useState<Unsaved>();
  const [error, setError] = useState<unknown>();
  const leave = async (): Promise<void> => {
    for (const { id } of deletions) await erase(id);
    await api.call(routes.signOut);
    left();
  };
  const agree = (): void => {
    setAsked(undefined);
    setError(undefined);
    leave().catch(setError);
  };
  const begin = (): void => {
    const unsaved = unsavedHere();
    if (unsaved.messages + unsaved.templates + unsaved.agents + deletions.length === 0) agree();
    else setAsked(unsaved);
  };
  return { asked, error, begin, agree, cancel: () => setAsked(undefined) };
}
