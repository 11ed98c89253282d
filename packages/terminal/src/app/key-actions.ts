import { matchesKey, type KeyId } from "@earendil-works/pi-tui";

/** What a key does wherever the cursor is. `false`: nothing at this moment, and the editor gets it. */
type KeyAction = () => boolean;

/** Does what a key stands for; `true`: it was taken. */
export function takesKey(data: string, actions: readonly (readonly [key: KeyId, action: KeyAction])[]): boolean {
  return actions.some(([key, action]) => matchesKey(data, key) && action());
}
