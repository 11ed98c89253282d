import { spawnSync } from "node:child_process";

/** Limit for the search of descendants on Windows. */
const killTimeoutMs = 2_000;

/** Signals a program and its process group; does nothing if they have ended. */
export function signalGroup(pid: number | undefined, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    // Windows has neither process groups nor signals; `taskkill` follows parent pids.
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", timeout: killTimeoutMs });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has already ended.
  }
}
