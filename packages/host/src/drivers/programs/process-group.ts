import { spawnSync } from "node:child_process";

const killTimeoutMs = 2_000;

/** Does nothing if they have ended. */
export function signalGroup(pid: number | undefined, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    // Windows has neither process groups nor signals; `taskkill` follows parent pids.
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", timeout: killTimeoutMs });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {}
}
