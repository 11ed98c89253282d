const help = `incipit: a host for AI agents that decides, shows and proves what they are told

  incipit serve                     start the host        [--host H] [--port N]
  incipit "question"                ask once
  incipit chat                      talk                  (also --repl)
  incipit -s ID "question"          go on with a conversation (also with chat)
  incipit conversations [list]      all of them (list archived|all, show ID)
  incipit conversations history ID  what was said, called and cut off
  incipit conversations search TEXT find words in titles and in what was said
                                    (also: TEXT archived|all)
  incipit conversations fork ID     another one with the same past
                                    [--after MESSAGE | --before MESSAGE]
  incipit conversations export ID [FILE|-]
  incipit conversations import FILE|-
  incipit conversations explain ID  where each part of what it is told came from
  incipit conversations drift ID    what its prompt would be now, and why
  incipit conversations rebuild ID  have its prompt built anew   [--note TEXT]
  incipit conversations rename ID TITLE
  incipit conversations archive|unarchive ID
  incipit conversations delete ID   for good, after a question   [--yes]
  incipit audit [all|broken]        whether requests could be read from a cache
                                    [--since TIME] [--reason REASON]
  incipit audit ID                  what broke it, at which byte, and what to do
  incipit prompt show [VERSION]     the template in force, or what it was
  incipit prompt set FILE|TEXT|-    store a template (-: standard input)
                                    [--note TEXT]
  incipit prompt edit               change it in $VISUAL or $EDITOR, store it
                                    [--note TEXT] [--yes]
  incipit prompt lint [FILE|TEXT|-] what is likely not meant in a template
  incipit prompt versions           all that it was
  incipit prompt diff [OLD] VERSION what a version changed, or all since OLD
  incipit prompt restore VERSION    store what it was anew   [--note TEXT]
  incipit prompt preview            what a new conversation would be told
  incipit prompt explain            where each part of that comes from
  incipit record show ID            what was told and said   [--step N|last]
  incipit record export ID DIR      the same as a folder, without secrets
  incipit record replay ID --model PROVIDER/MODEL
                                    another model's answer to it, side by side
                                    (ID: of a step, or of a conversation)
  incipit models [WORD]             what can be used, what it takes and costs
  incipit extensions [list]         the extensions      (also: show ID, graph)
  incipit extensions add PATH       add one; shows what it asks for   [--yes]
  incipit extensions swap ID [PATH] let another version take over, while it runs
  incipit extensions load|unload|remove ID
  incipit extensions new DIR        begin one of your own
  incipit extensions dev DIR        swap it on each save
  incipit token                     the token of the HTTP API
  incipit trust [show] [DIR]        which folders may configure the host and
                                    tell models, and what this one would do
  incipit trust add [DIR]           trust it with what it holds now; asks
                                    [--file PATH] [--sha256 HASH]
  incipit trust remove [DIR]        take that back

  --model PROVIDER/MODEL   --profile NAME   --cwd DIR
  --system TEXT (this call only; also several)
  --system-mode replace|append (in place of the prompt; or behind it)
  --file PATH (with a question, as often as you like)
  --data DIR   --config FILE   --json (JSON lines)   --version
  --help (behind a command: that one alone)

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 interrupted.
`;

/** All of the help, or the lines of one command: nobody reads three pages to find one option. */
export function helpOf(command: string | undefined): string {
  const lines = help.split("\n");
  // A line that begins further to the right goes on with the one above it.
  let isAbout = false;
  const chosen = lines.filter((line) => {
    if (line.startsWith("  incipit ")) isAbout = line.split(" ")[3] === command;
    else if (!line.startsWith("     ")) isAbout = false;
    return isAbout;
  });
  if (chosen.length === 0) return help;
  return `${[...chosen, "", "incipit --help has the other commands, and what all of them take"].join("\n")}\n`;
}
