import { isKeyRelease, matchesKey, type KeyId } from "@earendil-works/pi-tui";

/** Action of a global key. Returns `false` to pass the key on to the editor. */
type KeyAction = () => boolean;

/** Runs the action of a key. Returns `false` for an unhandled key. */
export function takesKey(data: string, actions: readonly (readonly [key: KeyId, action: KeyAction])[]): boolean {
  return actions.some(([key, action]) => matchesKey(data, key) && action());
}

/** Sequences that a terminal sends unasked: mouse, focus, replies. */
const reports = /^\u001B(?:\[<|\[M|\[[IO]$|\[[?>=]|[\]P_].)/; // oxlint-disable-line no-control-regex -- they begin so

/** Whether the data is a report of the terminal or a key release rather than a key press. */
export function isReport(data: string): boolean {
  return reports.test(data) || isKeyRelease(data);
}
