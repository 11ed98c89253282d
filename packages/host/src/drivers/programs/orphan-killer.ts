import { spawn, type ChildProcess } from "node:child_process";
import { newDescentMark } from "./descent-mark.ts";
import { startedPrograms } from "./started-programs.ts";

/**
 * Once the host's end of the pipe closes: first SIGSTOP for each, so that no new process appears during the search,
 * then SIGKILL. Sessions distinguish programs from processes that reuse a pid; marks identify orphans. Shell builtins
 * only: it forks nothing.
 */
const script = `
trap '' HUP INT QUIT TERM
mark=$1
programs=' '
while read -r what pid; do
  case $what in
    started) programs="$programs$pid " ;;
    ended) case $programs in *" $pid "*) programs="\${programs%% $pid *} \${programs#* $pid }" ;; esac ;;
  esac
done
look() {
  answer=
  while read -r name value _; do
    if [ "$name" = "$2" ]; then answer=$value; return; fi
  done < "/proc/$1/status"
}
is_marked() {
  while read -r word1 word2 word3 soft _; do
    case "$word1 $word2 $word3" in 'Max file locks') [ "$soft" = "$mark" ]; return ;; esac
  done < "/proc/$1/limits"
  return 1
}
found=' '
for pid in $programs; do
  look "$pid" NSsid:
  if [ "\${answer:-$pid}" = "$pid" ] && kill -s STOP "$pid"; then found="$found$pid "; fi
done
more=yes
while [ -n "$more" ]; do
  more=
  for folder in /proc/[0-9]*; do
    pid=\${folder#/proc/}
    case $found in *" $pid "*) continue ;; esac
    look "$pid" PPid:
    case $found in
      *" $answer "*) ;;
      *) is_marked "$pid" || continue ;;
    esac
    if kill -s STOP "$pid"; then found="$found$pid "; more=yes; fi
  done
done
for pid in $found; do kill -s KILL "$pid"; done
`;

/**
 * Kills programs and their descendants, in any session, after this process was killed. One process for all programs.
 */
class OrphanKiller {
  readonly #programs = new Set<number>();
  readonly #mark = newDescentMark();
  #child: ChildProcess | undefined;

  /** Returns the mark for programs, or `undefined` if no keeper can run. */
  start(): number | undefined {
    this.#child ??= this.#started();
    return this.#child === undefined ? undefined : this.#mark;
  }

  add(pid: number): void {
    this.#programs.add(pid);
    this.#tell("started", pid);
  }

  remove(pid: number): void {
    if (this.#programs.delete(pid)) this.#tell("ended", pid);
  }

  #tell(what: "started" | "ended", pid: number): void {
    this.#child?.stdin?.write(`${what} ${pid}\n`);
  }

  #started(): ChildProcess | undefined {
    const child = spawn("/bin/sh", ["-c", script, "sh", String(this.#mark)], {
      cwd: "/",
      env: {},
      stdio: ["pipe", "ignore", "ignore"],
      detached: true, // A signal to the host's session or group must not end it early.
    });
    const { pid, stdin } = child;
    child.on("error", () => undefined);
    stdin?.on("error", () => undefined);
    if (pid === undefined) return undefined;
    startedPrograms.add(pid);
    child.once("exit", () => {
      startedPrograms.delete(pid);
      this.#child = undefined;
      if (this.#programs.size === 0 || this.start() === undefined) return;
      for (const program of this.#programs) this.#tell("started", program);
    });
    child.unref();
    return child;
  }
}

export const keeper = new OrphanKiller();
