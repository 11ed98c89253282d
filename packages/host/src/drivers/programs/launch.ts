import { readFileSync, writeSync } from "node:fs";
import { constants } from "node:os";
import { ptr } from "bun:ffi";
import { setDescentMark } from "./descent-mark.ts";
import { closeFolders, landlockVersion } from "./landlock.ts";
import { childVariablePrefix, identityOf, reportHandle } from "./launcher.ts";
import { CTexts, cText, lastError, openLibc, type Libc } from "./libc.ts";
import { pathsOf } from "./mounted-again.ts";

// sys/prctl.h, linux/capability.h
const setParentDeathSignal = 1;
const dropFromBoundingSet = 24;
const setChildSubreaper = 36;
const setNoNewPrivileges = 38;
/** sys_ptrace, sys_admin, perfmon: each lets root read the environment of any process. */
const capabilities = [19, 21, 38] as const;
const lastSignal = 64;
const { signals } = constants;
const setMask = 2;
const closeOnExec = 1;
const setHandleFlags = 2;

export function launch([
  host = "",
  mark = "",
  closed = "",
  identity = "",
  cwd = "",
  file = "",
  ...args
]: readonly string[]): never {
  const fail = (problem: string): never => {
    writeSync(reportHandle, problem);
    process.exit(127);
  };
  const libc = openLibc();
  if (libc === undefined) return fail("failed the C library cannot be used");
  libc.fcntl(reportHandle, setHandleFlags, closeOnExec);
  // SIGSTOP keeps its descendants below it until the keeper has killed them.
  libc.prctl(setParentDeathSignal, mark === "" ? signals.SIGKILL : signals.SIGSTOP, 0, 0, 0);
  if (process.ppid !== Number(host)) return fail("failed the host has ended");
  libc.prctl(setChildSubreaper, 1, 0, 0, 0);
  if (mark !== "" && !setDescentMark(libc, Number(mark))) return fail("failed it cannot be marked as the host's");
  try {
    process.chdir(cwd);
  } catch (error) {
    return fail(`failed ${String(error)}`);
  }
  if (closed !== "") {
    if (!confine(libc, closed)) return fail("failed it cannot be kept from the host's data");
    // Landlock closed the folder found at the path. Checked afterwards, so that nothing can be moved in between.
    if (identityOf(closed) !== identity)
      return fail(
        "failed the host's data folder has been moved, and it cannot be kept from it; start the host again",
      );
  }
  resetSignals(libc);
  const argv = new CTexts([file, ...args]);
  const variables = Object.entries(process.env).flatMap(([name, value = ""]) =>
    name.startsWith(childVariablePrefix) ? [`${name.slice(childVariablePrefix.length)}=${value}`] : [],
  );
  const path = cText(file);
  const envp = new CTexts(variables);
  libc.execve(ptr(path), argv.pointer, envp.pointer);
  return fail(String(lastError(libc)));
}

function confine(libc: Libc, closed: string): boolean {
  for (const capability of capabilities) libc.prctl(dropFromBoundingSet, capability, 0, 0, 0);
  if (libc.prctl(setNoNewPrivileges, 1, 0, 0, 0) !== 0) return false;
  if (landlockVersion(libc) === 0) return true;
  return closeFolders(libc, pathsOf(closed, readFileSync("/proc/self/mountinfo", "utf8")));
}

/** A program inherits ignored signals: Bun ignores SIGPIPE, so `yes | head` would not end. */
function resetSignals(libc: Libc): void {
  for (let signal = 1; signal <= lastSignal; signal += 1) libc.signal(signal, 0);
  const none = new Uint8Array(128);
  libc.sigprocmask(setMask, ptr(none), 0);
}
