/** Why the host does not know this browser any more: somebody signed out, or the sign-in has ended. */
export type SignedOutReason = "left" | "ended";

const eventName = "incipit-signed-out";
/** Tells the other tabs: what they keep goes, too. */
const leftKey = "signed-out-at";

/** Tells the page that the host does not know this browser any more. */
export function signedOut(): void {
  dispatchEvent(new CustomEvent(eventName));
}

/** Tells all tabs of this browser that somebody has signed out. */
export function left(): void {
  try {
    localStorage.setItem(leftKey, new Date().toISOString());
  } catch {
    // There is no room: the other tabs hear of it with their next question to the host.
  }
  dispatchEvent(new CustomEvent(eventName, { detail: "left" }));
}

/** Gives what ends the listening. */
export function onSignedOut(listener: (reason: SignedOutReason) => void): () => void {
  const follow = (event: Event): void => {
    if (event instanceof StorageEvent) {
      if (event.key === leftKey) listener("left");
    } else listener(event instanceof CustomEvent && event.detail === "left" ? "left" : "ended");
  };
  addEventListener(eventName, follow);
  addEventListener("storage", follow);
  return () => {
    removeEventListener(eventName, follow);
    removeEventListener("storage", follow);
  };
}
