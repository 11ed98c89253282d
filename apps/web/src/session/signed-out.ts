/** `left` after a sign-out by the user, `ended` if the sign-in expired or was revoked. */
export type SignedOutReason = "left" | "ended";

const eventName = "incipit-signed-out";
/** Notifies other tabs, which then remove their data. */
const leftKey = "signed-out-at";

/** Reports that the host no longer accepts this browser. */
export function signedOut(): void {
  dispatchEvent(new CustomEvent(eventName));
}

/** Reports a sign-out to all tabs of this browser. */
export function left(): void {
  try {
    localStorage.setItem(leftKey, new Date().toISOString());
  } catch {
    // Storage is full: other tabs notice with their next request.
  }
  dispatchEvent(new CustomEvent(eventName, { detail: "left" }));
}

/** Returns the unsubscribe function. */
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
