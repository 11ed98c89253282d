const help = `incipit: a host for AI agents that decides, shows and proves what they are told

  incipit setup                     choose a model, and write a configuration
                                    [--model PROVIDER/MODEL] [--yes]
  incipit doctor                    find what is wrong, and say what mends it
                                    [--model PROVIDER/MODEL]
  incipit serve                     start the host        [--host H] [--port N]
  incipit "question"                ask one question
  incipit chat                      hold a conversation   (also --repl)
  incipit -s ID "question"          continue a conversation (also with chat): ID
                                    is its id, or how its id or title begins
  incipit -c "question"             continue the last one of this folder
  git diff | incipit "question"     ask about what is piped in (-: ask that)
  incipit run "task" --background   give a task to the host that runs, and end:
                                    it goes on, and its conversation has it
  incipit follow ID                 show what happens there from now on
  incipit stop|compact ID           stop what runs there; sum up what was said
  incipit queue ID                  list the messages that wait there
                                    (also: ID resume, ID remove TURN)
  incipit answer ID                 answer what a tool asks you [accept JSON,
                                    decline]
  incipit approve ID                show the calls that wait for an answer
                                    (then: ID allow|always|deny [CALL])
                                    (these also: -c, the last of this folder)
  incipit acp                       speak with an editor by the Agent Client
                                    Protocol, on stdin and stdout [--v2: the
                                    draft of its version 2, where it asks]
  incipit conversations [list]      list them (list archived|all, show ID)
                                    [--status STATUS] [--model PROVIDER/MODEL]
  incipit conversations history ID  show what was said, called and cut off
  incipit conversations search TEXT find words in titles and in what was said
                                    (also: TEXT archived|all, and as list)
  incipit conversations fork ID     begin another one with the same past
                                    [--after MESSAGE | --before MESSAGE]
  incipit conversations export ID [FILE|-]
  incipit conversations import FILE|-
  incipit conversations tasks ID    show the tasks that it gave to other agents
  incipit conversations tools ID    show which tools its requests name, and
                                    which are looked up, and why
  incipit conversations explain ID  show where each part of its prompt came from
  incipit conversations drift ID    show what its prompt would be now, and why
  incipit conversations rebuild ID  build its prompt again   [--note TEXT]
  incipit conversations rename ID TITLE
  incipit conversations archive|unarchive ID
  incipit conversations delete ID   delete it for good; asks first   [--yes]
  incipit audit [all|broken]        show whether caches could read requests
                                    [--since TIME] [--reason REASON]
  incipit audit ID                  show what broke it, where, and what to do
  incipit prompt show [VERSION]     show the template, or an earlier version
  incipit prompt set FILE|TEXT|-    store a template (-: standard input)
                                    [--note TEXT]
  incipit prompt edit               edit it in $VISUAL or $EDITOR, and store it
                                    [--note TEXT] [--yes]
  incipit prompt lint [FILE|TEXT|-] find likely mistakes in a template
  incipit prompt versions           list all versions of the template
  incipit prompt diff [OLD] VERSION show what changed in it, or since OLD
  incipit prompt restore VERSION    store an old version again   [--note TEXT]
  incipit prompt preview            show what a new conversation would be told
  incipit prompt explain            show where each part of that comes from
  incipit record show ID            show a request and reply [--step N|last]
  incipit record export ID DIR      write that to a folder, without secrets
  incipit record replay ID --model PROVIDER/MODEL
                                    ask another model the same, and compare
                                    (ID of a step or of a conversation)
  incipit agents [list]             list the agents that --profile can name here
  incipit agents show|edit NAME     show one; change its file in $VISUAL or
                                    $EDITOR
  incipit agents new NAME           write .agents/NAME.md in this folder, or
                                    one of your own everywhere   [--user]
  incipit agents remove NAME        remove its file; asks first   [--yes]
  incipit skills [list]             list what models can open here (show NAME)
  incipit commands [list]           list what can be sent here as /NAME, with
                                    what is typed behind it (show NAME)
  incipit mcp [list]                list the servers of tools (MCP), and how
                                    they are
  incipit mcp test NAME             start one, and show its tools
  incipit mcp resources [NAME]      list what they have to be read: @NAME:URI
                                    in a message sends it along
  incipit mcp add NAME -- PROGRAM …  write one into your configuration
                                    [--env VARIABLE]
  incipit mcp add NAME URL          [--token-env VARIABLE] [--oauth]
  incipit mcp import FILE [NAME]    write those of another host's mcp.json
  incipit mcp login|logout NAME     sign in to one in a browser, or out
  incipit models [WORD]             list usable models, their input and prices
  incipit heartbeat [show]          when it wakes a model, and what came of it
  incipit heartbeat wake|history    wake it now; show all of its wakes
  incipit schedules [list]          list what models do at their time
  incipit schedules add ID TASK     have a model do it: --cron EXPRESSION,
                                    --every 15m or --at 2026-12-24T18:00
                                    [--zone ZONE] [--missed skip|once|all]
                                    [--conversation own|fresh|ID]
                                    [--tell CHANNEL:CHAT] [--retries N]
                                    [--tools NAME,…] [--max-tokens N]
                                    [--max-usd N] (the last two of a day)
  incipit schedules run ID          run it now
  incipit schedules history ID      show what came of it
  incipit schedules costs           what ran without a person has cost, by day
  incipit schedules pause|resume|remove ID
  incipit channels [list]           list where people write, and how that is
  incipit channels pair CHANNEL     show a code that lets one person in
  incipit channels people CHANNEL   list who may talk
  incipit channels remove CHANNEL PERSON
  incipit channels messages CHANNEL list what was sent, and what is not known
  incipit channels retry CHANNEL MESSAGE
  incipit channels continue CHANNEL CHAT ID
                                    let a chat go on with a conversation
  incipit send CHANNEL CHAT TEXT    write to a chat
  incipit config [WORD]             show what is configured, and where it was
                                    written; with WORD defaults, too
  incipit extensions [list]         list extensions     (also: show ID, graph)
  incipit extensions add PATH       add one; shows what it asks for   [--yes]
  incipit extensions swap ID [PATH] replace it with another version as it runs
  incipit extensions load|unload|remove ID
  incipit extensions new DIR        write a new one of your own: a variable, or
                                    --tool, --provider, --channel, --storage
  incipit extensions types [DIR]    write the types that its code is checked by
  incipit extensions dev DIR        load it, and swap it on each save
  incipit page                      print a link that opens the page, signed in
  incipit token                     print the host's own token, which can do
                                    everything over the HTTP API
  incipit token new --scope SCOPES  make one that can do less, and ends: some of
                                    read, converse, prompt, records, admin
                                    [--days N] [--name NAME]
  incipit token list                list those that were made
  incipit token revoke ID           end one now
  incipit trust [show] [DIR]        show which folders may configure the host
                                    and tell models, and what this one would do
  incipit trust add [DIR]           trust its present content; asks first
                                    [--file PATH] [--sha256 HASH]
  incipit trust remove [DIR]        stop trusting it
  incipit update                    say whether there is a newer version, and
                                    how to get it; changes nothing
  incipit uninstall                 say what lies where, how large it is, and
                                    how to remove it; removes nothing

  -m, --model PROVIDER/MODEL   --profile NAME
  --cwd DIR (with -s: the conversation works there from now on)
  --system TEXT (this call only; may be repeated)
  --system-mode replace|append (instead of the prompt, or after it)
  --file PATH (with a question; may be repeated)
  -o, --output FILE (the answer goes there, too)   -q, --quiet (nothing else)
  --max-steps N (model calls)   --timeout 5m (s, m or h): more is stopped
  --data DIR   --config FILE   --json (JSON lines)   --version
  --help (after a command: help for that command)

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done, but a tool was denied,
4 stopped by --max-steps, 124 stopped by --timeout, 130 interrupted.
`;

/** All of the help, or the lines of one command: nobody reads three pages to find one option. */
export function helpOf(command: string | undefined): string {
  const lines = help.split("\n");
  // A line that begins further to the right goes on with the one above it.
  let isAbout = false;
  const chosen = lines.filter((line) => {
    if (line.startsWith("  incipit ")) isAbout = (line.split(" ")[3] ?? "").split("|").includes(command ?? "");
    else if (!line.startsWith("     ")) isAbout = false;
    return isAbout;
  });
  if (chosen.length === 0) return help;
  return `${[...chosen, "", "incipit --help lists the other commands, and the options of all"].join("\n")}\n`;
}
