function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** They run whatever stands behind them, or change what names mean: how a command of theirs begins says nothing. */
const runners = names(`
  . source eval exec command builtin alias unalias trap set unset export readonly declare typeset local hash enable
  sh bash dash ash zsh ksh mksh fish csh tcsh pwsh busybox toybox sudo doas su runuser pkexec env xargs parallel nohup nice
  ionice setsid stdbuf timeout time watch chroot unshare nsenter flock script strace ltrace gdb lldb ssh entr
  systemd-run at batch crontab chrt taskset numactl fakeroot unbuffer sshpass proxychains proxychains4 firejail bwrap
  direnv watchexec nodemon hyperfine
`);

/** They run what their arguments or their input say, in a language of their own. */
const interpreters = names(`
  python python2 python3 pypy perl ruby node nodejs deno bun tsx ts-node php lua luajit awk gawk mawk nawk sed gsed ed ex
  vi vim nvim emacs osascript tclsh expect R Rscript julia ghci java jshell scala groovy npx bunx pnpx uvx pipx make gmake
  ninja just task docker podman kubectl
`);

function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

export function runsOthers(program: string): boolean {
  return runners.has(baseName(program));
}

export function isInterpreter(program: string): boolean {
  return interpreters.has(baseName(program).replace(/[\d.]+$/, "")) || interpreters.has(baseName(program));
}
