import { isKeyRelease, matchesKey, type KeyId } from "@earendil-works/pi-tui";

type KeyAction = () => boolean;

export function takesKey(data: string, actions: readonly (readonly [key: KeyId, action: KeyAction])[]): boolean {
  return actions.some(([key, action]) => matchesKey(data, key) && action());
}

/** Sequences that a terminal sends unasked: mouse, focus, replies. */
const reports = /^\u001B(?:\[<|\[M|\[[IO]$|\[[?>=]|[\]P_].)/; // oxlint-disable-line no-control-regex -- they begin so

export function isReport(data: string): boolean {
  return reports.test(data) || isKeyRelease(data);
}
