import { readFile } from "node:fs/promises";

/** A tick of the counters in `/proc`: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
const tickMs = 10;

/** Time that a process has had on a processor until now, its own and the system's for it. @throws where there is no `/proc`. */
export async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}
