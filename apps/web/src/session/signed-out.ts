import { keep } from "./kept-here.ts";

/** `left`: signed out by the user; `ended`: expired or revoked. */
export type SignedOutReason = "left" | "ended";

const eventName = "incipit-signed-out";
/** Storage key of the last sign-out, on which other tabs remove their data. */
const leftKey = "signed-out-at";

export function signedOut(): void {
  dispatchEvent(new CustomEvent(eventName));
}

export function left(): void {
  // If the storage is full, other tabs notice at their next request.
  keep(localStorage, leftKey, new Date().toISOString());
  dispatchEvent(new CustomEvent(eventName, { detail: "left" }));
}

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
