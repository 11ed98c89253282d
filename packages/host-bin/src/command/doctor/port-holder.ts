import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { escapeHiddenLine } from "@incipit/schema/text";

export interface PortHolder {
  readonly pid: number;
  readonly name: string;
}

/** `st` in `/proc/net/tcp`; https://www.kernel.org/doc/html/latest/networking/proc_net_tcp.html */
const listening = "0A";

/** `undefined` where the system does not reveal it: on systems other than Linux, and for processes of other users. */
export function portHolder(port: number, proc = "/proc"): PortHolder | undefined {
  const inodes = new Set(["tcp", "tcp6"].flatMap((table) => inodesOf(join(proc, "net", table), port)));
  if (inodes.size === 0) return undefined;
  for (const pid of list(proc).filter((name) => /^\d+$/.test(name))) {
    const folder = join(proc, pid, "fd");
    for (const descriptor of list(folder)) {
      const [, inode] = /^socket:\[(\d+)\]$/.exec(tried(() => readlinkSync(join(folder, descriptor))) ?? "") ?? [];
      if (inode === undefined || !inodes.has(inode)) continue;
      return {
        pid: Number(pid),
        name: escapeHiddenLine(tried(() => read(join(proc, pid, "comm")))?.trim() ?? "?"),
      };
    }
  }
  return undefined;
}

function inodesOf(table: string, port: number): readonly string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  return (tried(() => read(table)) ?? "").split("\n").flatMap((line) => {
    const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === listening && local.endsWith(`:${hex}`) && inode !== undefined ? [inode] : [];
  });
}

function read(path: string): string {
  return readFileSync(path, "utf8");
}

function list(folder: string): readonly string[] {
  return tried(() => readdirSync(folder)) ?? [];
}

/** A process may end during the check, or belong to another user. */
function tried<Value>(get: () => Value): Value | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}
