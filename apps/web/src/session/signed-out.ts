/** Tells the page that the host does not know this browser any more. */
export function signedOut(): void {
  dispatchEvent(new Event(signedOutEvent));
}

export const signedOutEvent = "incipit-signed-out";
