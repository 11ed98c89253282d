import { userInfo } from "node:os";

/** Name of whoever types, as the system has it; `undefined`: it knows none. */
export function userName(): string | undefined {
  try {
    return userInfo().username.slice(0, 200) || undefined;
  } catch {
    return undefined; // There is no entry for the user's number.
  }
}
