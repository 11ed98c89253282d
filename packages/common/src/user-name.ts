import { userInfo } from "node:os";

export function userName(): string | undefined {
  try {
    return userInfo().username.slice(0, 200) || undefined;
  } catch {
    return undefined; // No passwd entry for the uid.
  }
}
