/** Sends to a program and all that it started; nothing happens when they have ended by themselves. */
export function signalGroup(pid: number | undefined, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended by itself: that is what was wanted.
  }
}
