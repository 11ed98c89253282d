import { spawnSync } from "node:child_process";

/** How long it may take to find what a program has started. */
const killTimeoutMs = 2_000;

/** Sends to a program and all that it started; nothing happens when they have ended by themselves. */
export function signalGroup(pid: number | undefined, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    // It has neither groups nor signals: what a program has started is found by who started whom.
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", timeout: killTimeoutMs });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended by itself: that is what was wanted.
  }
}
