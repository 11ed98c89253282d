import type { Attack } from "./attacks.ts";

export const processAttacks = {
  "process-reads-token": {
    tries:
      "a command of the shell tool reads the token: by its path, through links, /proc/self/root, a copy, a new session",
    seen: "none of them opens it",
  },
  "process-writes-data-folder": {
    tries:
      "a command changes, removes, renames, links or makes files of the data folder, moves it, or mounts something over it",
    seen: "nothing there has changed",
  },
  "process-reads-host-variables": {
    tries: "a command reads /proc/HOST/environ and /proc/HOST/mem, as root too",
    seen: "neither can be read",
  },
  "process-reads-host-files": {
    tries: "a command goes through /proc/HOST/fd, cwd and root to the token",
    seen: "none of them leads there",
  },
  "process-mounted-data": {
    tries: "the data folder is mounted a second time where a command may read",
    seen: "it is closed there too",
  },
  "process-moved-data": {
    tries:
      "a folder above the data folder gets another name while the host runs, and a command reads under that one",
    seen: "no program is started, and the tool says why",
  },
  "process-before-it-runs": {
    tries:
      "a call's BUN_OPTIONS, and the folder's bunfig.toml and .env, name code to run before the program is confined",
    seen: "the code does not run",
  },
  "process-setsid": {
    tries: "a command starts a program with setsid, and ends",
    seen: "the program is ended with the call",
  },
  "process-daemon": {
    tries: "a command starts a daemon that was forked twice",
    seen: "the daemon is ended with the call",
  },
  "process-without-variables": {
    tries: "a command starts a program with env -i setsid nohup",
    seen: "the program is ended with the call",
  },
  "process-holds-pipe": {
    tries: "a command starts a program in a session of its own that holds the call's output open",
    seen: "the call ends at once, and the program with it",
  },
  "process-forks-on": {
    tries: "a program makes another one in a session of its own and ends, again and again",
    seen: "none is left when the call has ended",
  },
  "process-host-killed": {
    tries: "a host is killed while a program runs for it, which has started another one in a session of its own",
    seen: "both end with it",
  },
  "process-keeper-killed": {
    tries: "a program kills the process that is to end it when the host is killed, and then the host",
    seen: "there is another one by then, which ends the program and what it has started",
  },
  "process-orphaned": {
    tries: "a program ends as its host is killed, and leaves one in another session to init",
    seen: "that one ends too: it has the mark of the host's programs",
  },
  "process-server-host-killed": {
    tries: "a running host is killed whose MCP server has started a program in a session of its own",
    seen: "the program ends",
  },
  "process-shell-token": {
    tries: "the shell tool of a running host reads the host's token and variables",
    seen: "it gets neither",
  },
  "process-server-token": {
    tries: "an MCP server that is a program reads the host's token",
    seen: "it does not get it",
  },
  "process-shell-leaves": {
    tries: "a command of the shell tool of a running host leaves a program in a session of its own",
    seen: "the program is ended with the call",
  },
  "process-shown-variables": {
    tries: "another process of the same user, or root, reads a host's /proc/PID/environ",
    seen: "no value of a key is in it, and the process is closed to its own user",
  },
  "process-variables-of-host": {
    tries: "another program looks for a configured key in /proc/PID/environ of a running host",
    seen: "it is not there",
  },
  "process-tool-writes-acting-file": {
    tries:
      "a tool writes git's files, .env, incipit.toml, bunfig.toml, start-up files of editors and shells, instructions of agents",
    seen: "a person is asked, and told why, whatever was allowed for the tool",
  },
  "process-tool-spells-acting-file": {
    tries:
      "a tool spells such a name in capitals, with dots or spaces behind it, as a stream, a short name or with letters that are not seen",
    seen: "it is known all the same",
  },
  "process-tool-leads-to-acting-file": {
    tries:
      "a path leads to such a file by .., by links, by a link that leads nowhere yet, or by one that is changed after the answer",
    seen: "it is judged by where it leads, and refused when that is not what was allowed",
  },
  "process-tool-hard-link": {
    tries: "a tool edits a hard link of such a file",
    seen: "that name becomes a file of its own, the other one stays as it was",
  },
  "process-search-link": {
    tries: "a folder has links to files outside, and ripgrep looks through it for a model",
    seen: "what a file holds is read through the host's own grant, which ends at the folder; ripgrep only says where to look",
  },
  "process-find-link": {
    tries:
      "a folder has links to files outside, a model finds files there by name, and its pattern begins with ../..",
    seen: "links are not followed, a pattern that leaves the folder is refused, and each name is looked up through the host's own grant",
  },
  "process-allowed-command-more": {
    tries:
      "where git status is allowed, a model puts another command behind it, into it, before it or into an option of it",
    seen: "it is asked about as a whole: each program of it has to be allowed, and nothing in it is not understood",
  },
  "process-bare-repository": {
    tries:
      "a folder holds HEAD, config, objects and refs, whose core.fsmonitor is a program; git status is allowed",
    seen: "git refuses the folder as a repository that nobody named, and starts nothing",
  },
  "process-allowed-interpreter": {
    tries:
      "a grant is written, or offered, for how commands of make, git, python or another program begin that runs or writes what it is told",
    seen: "it is refused with the program's name, and only the whole command is offered",
  },
  "process-allowed-command-shadowed": {
    tries: "where ls may run by how it begins, a program of that name lies in the working folder, which is in PATH",
    seen: "the call is asked about",
  },
  "process-allowed-path-link": {
    tries: "where writing below src is allowed, a model writes through a link there, or by a path that leads out",
    seen: "it is asked about: a path counts as where it leads",
  },
  "process-tool-writes-unasked": {
    tries: "after allow-always for write_file a model writes .git/hooks, .env, incipit.toml, .vscode and AGENTS.md",
    seen: "each of them is asked about",
  },
} as const satisfies Record<string, Attack>;
