import { isKeyRelease, matchesKey, type KeyId } from "@earendil-works/pi-tui";

/** What a key does wherever the cursor is. `false`: nothing at this moment, and the editor gets it. */
type KeyAction = () => boolean;

/** Does what a key stands for; `true`: it was taken. */
export function takesKey(data: string, actions: readonly (readonly [key: KeyId, action: KeyAction])[]): boolean {
  return actions.some(([key, action]) => matchesKey(data, key) && action());
}

/** What a terminal tells by itself: the mouse, the focus of its window, answers to what it was asked. */
const reports = /^\u001B(?:\[<|\[M|\[[IO]$|\[[?>=]|[\]P_].)/; // oxlint-disable-line no-control-regex -- they begin so

/** Whether nobody has pressed a key: it is a report of the terminal, or the release of a key. */
export function isReport(data: string): boolean {
  return reports.test(data) || isKeyRelease(data);
}
