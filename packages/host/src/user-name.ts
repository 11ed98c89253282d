import { userInfo } from "node:os";

/** Returns the name of the operating system's user, or `undefined`. */
export function userName(): string | undefined {
  try {
    return userInfo().username.slice(0, 200) || undefined;
  } catch {
    return undefined; // No passwd entry for the uid.
  }
}
