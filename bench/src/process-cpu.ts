import { readFile } from "node:fs/promises";

/** Tick of the `/proc` counters: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const tickMs = 10;

/** User and system time. @throws without `/proc`. */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
