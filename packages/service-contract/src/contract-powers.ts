/**
 * A permission as the rest of a sentence that begins with "it". `ask`: requires the operator's approval when the
 * extension is added. `tell`: only listed.
 */
export type ContractPower = { readonly ask: string } | { readonly tell: string };

/** Permissions for using and for providing a service. */
export interface ServicePowers {
  readonly uses: ContractPower;
  readonly provides: ContractPower;
}

/** Permissions for contributing to and for reading an extension point. */
export interface PointPowers {
  readonly contributes: ContractPower;
  readonly reads: ContractPower;
}

/**
 * Permissions of every service with a handle here or in the kernel. Services not listed here require no approval.
 */
export const servicePowers = frozenPowers({
  "access-tokens@1": {
    uses: { ask: "may make tokens, with which anybody may use the host, and revoke yours" },
    provides: { ask: "may say who may use the host" },
  },
  "approvals@1": {
    uses: { ask: "may answer for you what waits for approval, and what tools ask you" },
    provides: { ask: "may take your answers to what waits for approval, and to what tools ask you" },
  },
  "chats@1": {
    uses: {
      ask: "may write to people in your name, read what they were sent, and let people in who then talk to models",
    },
    provides: { ask: "may say what was written to people, and who may talk to models" },
  },
  "commands@1": {
    uses: { ask: "may read the commands of each folder that it may read, and of yours" },
    provides: { ask: "may say what is sent in your name when you use a command" },
  },
  "conversation-records@1": {
    uses: { ask: "may read every conversation, and what models were told in it" },
    provides: { ask: "may say what was said in every conversation, and what models were told" },
  },
  "conversation-texts@1": {
    uses: { ask: "may change what models are told in a conversation" },
    provides: { ask: "may decide what models are told in a conversation" },
  },
  "conversations@1": {
    uses: { ask: "may read, change and delete every conversation, and send turns" },
    provides: { ask: "may keep and answer every conversation in the host's place" },
  },
  "extension-control@1": {
    uses: { ask: "may load, unload and swap every extension" },
    provides: { ask: "may load, unload and swap extensions in the host's place" },
  },
  "extension-manager@1": {
    uses: { ask: "may add and remove extensions, and grant them anything" },
    provides: { ask: "may add and remove extensions in the host's place" },
  },
  "file-changes@1": {
    uses: { ask: "may see what tools changed in files, and put it back" },
    provides: { ask: "may say what tools changed in files, and what is put back" },
  },
  "message-files@1": {
    uses: { ask: "may see which files conversations have, and take them out of what models get" },
    provides: { ask: "may say which files conversations have, and which are removed" },
  },
  "folder-grants@1": {
    uses: { ask: "may allow calls of tools for good in the folders that you trust" },
    provides: { ask: "may say which calls of tools were allowed for good in folders" },
  },
  "folder-trust@1": {
    uses: { ask: "may see which files of which folders are trusted" },
    provides: { ask: "may say which folders are trusted" },
  },
  "heartbeat@1": {
    uses: { ask: "may wake the model that looks after things, and read what it said" },
    provides: { ask: "may say what needs attention" },
  },
  "host-configuration@1": {
    uses: { ask: "may see how the host is configured" },
    provides: { ask: "may say how the host is configured" },
  },
  "host-defaults@1": {
    uses: { ask: "may see which model, folder and prompts conversations begin with" },
    provides: { ask: "may decide which model, folder and prompts conversations begin with" },
  },
  "http-endpoint@1": {
    uses: { tell: "sees at which address the host listens" },
    provides: { ask: "may answer clients in the host's place" },
  },
  "media@1": {
    uses: { ask: "may read what can be sent of every conversation's folder, and put files there" },
    provides: { ask: "may say which files are sent to people, and keep what they send" },
  },
  "client-conversations@1": {
    uses: { ask: "may read and change the conversations that programs keep here in their own protocol" },
    provides: { ask: "may keep, read and change the conversations of programs that speak their own protocol" },
  },
  "model-calls@1": {
    uses: { ask: "may call every model with your keys, and see what was said in calls without a conversation" },
    provides: { ask: "may see and answer calls without a conversation in the host's place" },
  },
  "offered-tool-servers@1": {
    uses: { ask: "may start any program, connect anywhere, and give models the tools of what answers there" },
    provides: { ask: "may take what clients would start, with their secrets, and say which tools it has" },
  },
  "page-files@1": {
    uses: { tell: "sees the files of the host's page" },
    provides: { ask: "may put another page in place of the host's, which acts for whoever signs in there" },
  },
  "profiles@1": {
    uses: { ask: "may see and change the agents that people have written, and with them what models are told" },
    provides: { ask: "may say which agents there are, and what they are told" },
  },
  "prompt-history@1": {
    uses: { ask: "may see what models are told" },
    provides: { ask: "may say what models were told" },
  },
  "prompt-templates@1": {
    uses: { ask: "may see and change what models are told" },
    provides: { ask: "may decide what models are told" },
  },
  "schedules@1": {
    uses: { ask: "may give models tasks at times that it chooses, again and again" },
    provides: { ask: "may say which tasks models are given, and when" },
  },
  "skills@1": {
    uses: { ask: "may read the skills of each folder that it may read, and of yours" },
    provides: { ask: "may say which skills there are, and what they tell models" },
  },
  "step-records@1": {
    uses: { ask: "may see what models are told and what they answer, and give it to another model" },
    provides: { ask: "may say what models were told" },
  },
  "storage-backup@1": {
    uses: { ask: "may make copies of all that is stored" },
    provides: { ask: "may copy all that is stored" },
  },
  "storage-driver@1": {
    uses: { ask: "may read and change all that is stored" },
    provides: { ask: "may keep, read and change all that is stored" },
  },
  "storage-erasure@1": {
    uses: { tell: "may have it made sure that what was deleted cannot be found again" },
    provides: { ask: "may say that what was deleted cannot be found again" },
  },
  "storage-report@1": {
    uses: { tell: "sees whether something that is stored is damaged" },
    provides: { ask: "may say whether something that is stored is damaged" },
  },
  "stored-namespaces@1": {
    uses: { tell: "sees which extensions have stored something" },
    provides: { ask: "may say which extensions have stored something" },
  },
  "system-prompt@1": {
    uses: { ask: "may see and change what models are told" },
    provides: { ask: "may decide what models are told" },
  },
  "tool-servers@1": {
    uses: { ask: "may see the servers of tools that are configured, and start them" },
    provides: { ask: "may say which servers of tools there are" },
  },
  "trusted-folders@1": {
    uses: { ask: "may see which folders are trusted, and what they ask for" },
    provides: { ask: "may say which folders are trusted" },
  },
  "unattended@1": {
    uses: { ask: "may see what schedules and the heartbeat cost" },
    provides: { ask: "may say how much is spent when nobody is there" },
  },
  "workspace-files@1": {
    uses: { ask: "may read and change the files of every conversation's folder" },
    provides: { ask: "may say what files hold, and sees what is put back into them" },
  },
} as const satisfies Record<string, ServicePowers>);

/** Permissions of every extension point declared here. */
export const pointPowers = frozenPowers({
  "channels@1": {
    contributes: { ask: "may bring in what people write, say who wrote it, and see what they are answered" },
    reads: { ask: "may read what people write on every channel, and write to them" },
  },
  "command-sources@1": {
    contributes: { ask: "may say what is sent in your name when you use a command of its" },
    reads: { ask: "may see what others offer as commands, and have them make the messages" },
  },
  "model-providers@1": {
    contributes: { ask: "may answer in place of a model, and sees what the model is told" },
    reads: { ask: "may call every model with your keys" },
  },
  "prompt-segments@1": {
    contributes: { ask: "adds text to every prompt" },
    reads: { ask: "may see what other extensions add to prompts" },
  },
  "prompt-variables@1": {
    contributes: { tell: "adds variables that templates can name" },
    reads: { ask: "may read every variable that another extension adds" },
  },
  "tool-sources@1": {
    contributes: { tell: "gives tools to models" },
    reads: { ask: "may run every tool" },
  },
  "tools@1": {
    contributes: { tell: "gives tools to models" },
    reads: { ask: "may run every tool" },
  },
  "work-observers@1": {
    contributes: {
      ask: "may see which turns, model calls and tools run, and what is said in them where the host tells it",
    },
    reads: { ask: "may tell others of work that was never done" },
  },
} as const satisfies Record<string, PointPowers>);

/** Extensions share this module, so freeze it: an extension must not change the questions for the next one. */
function frozenPowers<Powers extends object>(powers: Powers): Powers {
  for (const power of Object.values(powers))
    for (const use of Object.values(Object.freeze(power))) Object.freeze(use);
  return Object.freeze(powers);
}
