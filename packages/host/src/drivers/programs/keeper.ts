import { spawn, type ChildProcess } from "node:child_process";
import { newDescentMark } from "./descent-mark.ts";
import { startedPrograms } from "./started-programs.ts";

/**
 * Hears which programs run. Once the host says nothing any more, it ends them and all that is below them: stops each, so that
 * nothing new comes while it looks, and kills them then. A program is in a session of its own: by that it is told from what may
 * have its number by now. What has lost its parent meanwhile, and is below none of them any more, has their mark. Nothing but
 * the shell's own words: it needs no other program, and forks nothing.
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
 * Ends programs, and what they have started in whatever session, when this process is killed and cannot do it by itself. A
 * process of its own, one for all programs, started with the first of them: a call costs it a line to read.
 */
class Keeper {
  readonly #programs = new Set<number>();
  readonly #mark = newDescentMark();
  #child: ChildProcess | undefined;

  /** Gives the mark that programs are to have; `undefined`: there is no keeper, and cannot be. */
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
      detached: true, // What ends the host's session or group is not to end it before.
    });
    const { pid, stdin } = child;
    child.on("error", () => undefined); // It is as if there were none.
    stdin?.on("error", () => undefined); // It has gone, which is told by its end.
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

/** A process has one set of children, as `startedPrograms` says. */
export const keeper = new Keeper();
