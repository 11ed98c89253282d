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
    uses: { ask: "may create access tokens to the host, and revoke yours" },
    provides: { ask: "may decide who may use the host" },
  },
  "approvals@1": {
    uses: { ask: "may answer approvals and tools' questions for you" },
    provides: { ask: "may receive your answers to approvals and tools' questions" },
  },
  "chats@1": {
    uses: {
      ask: "may send messages in your name, read sent messages, and pair people with channels",
    },
    provides: { ask: "may report sent messages, and decide who is paired" },
  },
  "commands@1": {
    uses: { ask: "may read your commands and those of readable folders" },
    provides: { ask: "may set the messages that commands send in your name" },
  },
  "conversation-records@1": {
    uses: { ask: "may read every conversation and its requests" },
    provides: { ask: "may report the content and requests of every conversation" },
  },
  "conversation-texts@1": {
    uses: { ask: "may change the system messages of a conversation" },
    provides: { ask: "may set the system messages of a conversation" },
  },
  "conversations@1": {
    uses: { ask: "may read, change and delete every conversation, and send turns" },
    provides: { ask: "may store and answer every conversation instead of the host" },
  },
  "extension-control@1": {
    uses: { ask: "may load, unload and swap every extension" },
    provides: { ask: "may load, unload and swap extensions instead of the host" },
  },
  "extension-manager@1": {
    uses: { ask: "may add and remove extensions, and grant them anything" },
    provides: { ask: "may add and remove extensions instead of the host" },
  },
  "file-changes@1": {
    uses: { ask: "may see file changes by tools, and restore files" },
    provides: { ask: "may report file changes by tools, and restore files" },
  },
  "message-files@1": {
    uses: { ask: "may see the files of conversations, and remove them from requests" },
    provides: { ask: "may report the files of conversations, and remove them from requests" },
  },
  "folder-grants@1": {
    uses: { ask: "may permanently allow tool calls in trusted folders" },
    provides: { ask: "may report the tool calls permanently allowed in folders" },
  },
  "folder-trust@1": {
    uses: { ask: "may see the trusted folders and files" },
    provides: { ask: "may decide which folders are trusted" },
  },
  "heartbeat@1": {
    uses: { ask: "may run the heartbeat, and read its replies" },
    provides: { ask: "may report heartbeat results" },
  },
  "host-configuration@1": {
    uses: { ask: "may read the host's configuration" },
    provides: { ask: "may report the host's configuration" },
  },
  "host-defaults@1": {
    uses: { ask: "may read the default model, folder and prompts of conversations" },
    provides: { ask: "may set the default model, folder and prompts of conversations" },
  },
  "http-endpoint@1": {
    uses: { tell: "sees at which address the host listens" },
    provides: { ask: "may answer clients instead of the host" },
  },
  "media@1": {
    uses: { ask: "may read sendable files in the folder of every conversation, and add files" },
    provides: { ask: "may choose the files sent to people, and store received files" },
  },
  "client-conversations@1": {
    uses: { ask: "may read and change conversations of API clients" },
    provides: { ask: "may store, read and change conversations of API clients" },
  },
  "model-calls@1": {
    uses: { ask: "may call every model with your keys, and read calls without a conversation" },
    provides: { ask: "may read and answer calls without a conversation" },
  },
  "offered-tool-servers@1": {
    uses: { ask: "may run any program as an MCP server, connect to any server, and offer their tools to models" },
    provides: { ask: "may receive clients' MCP servers with their secrets, and report their tools" },
  },
  "page-files@1": {
    uses: { tell: "sees the files of the host's page" },
    provides: { ask: "may replace the web page, which acts for signed-in users" },
  },
  "profiles@1": {
    uses: { ask: "may read and change agents and their prompts" },
    provides: { ask: "may define agents and their prompts" },
  },
  "prompt-history@1": {
    uses: { ask: "may read system prompts" },
    provides: { ask: "may report system prompts" },
  },
  "prompt-templates@1": {
    uses: { ask: "may read and change system prompts" },
    provides: { ask: "may set system prompts" },
  },
  "schedules@1": {
    uses: { ask: "may schedule recurring tasks for models" },
    provides: { ask: "may set the scheduled tasks" },
  },
  "skills@1": {
    uses: { ask: "may read your skills and those of readable folders" },
    provides: { ask: "may define skills and their instructions" },
  },
  "step-records@1": {
    uses: { ask: "may read requests and replies, and replay them with other models" },
    provides: { ask: "may report system prompts" },
  },
  "storage-backup@1": {
    uses: { ask: "may copy all stored data" },
    provides: { ask: "may copy all stored data" },
  },
  "storage-driver@1": {
    uses: { ask: "may read and change all stored data" },
    provides: { ask: "may store, read and change all data" },
  },
  "storage-erasure@1": {
    uses: { tell: "may request secure deletion" },
    provides: { ask: "may confirm secure deletion" },
  },
  "storage-report@1": {
    uses: { tell: "sees whether something that is stored is damaged" },
    provides: { ask: "may report damaged data" },
  },
  "stored-namespaces@1": {
    uses: { tell: "sees which extensions have stored something" },
    provides: { ask: "may report which extensions have stored data" },
  },
  "system-prompt@1": {
    uses: { ask: "may read and change system prompts" },
    provides: { ask: "may set system prompts" },
  },
  "tool-servers@1": {
    uses: { ask: "may see and start the configured MCP servers" },
    provides: { ask: "may report the MCP servers" },
  },
  "trusted-folders@1": {
    uses: { ask: "may see the trusted folders and their requests" },
    provides: { ask: "may decide which folders are trusted" },
  },
  "unattended@1": {
    uses: { ask: "may read the cost of autonomous runs, and end today's budget" },
    provides: { ask: "may report the cost of autonomous runs" },
  },
  "workspace-files@1": {
    uses: { ask: "may read and change the files of every conversation's folder" },
    provides: { ask: "may report file contents, and sees restored contents" },
  },
} as const satisfies Record<string, ServicePowers>);

/** Permissions of every extension point declared here. */
export const pointPowers = frozenPowers({
  "channels@1": {
    contributes: { ask: "may deliver people's messages, identify senders, and see the replies" },
    reads: { ask: "may read and send messages on every channel" },
  },
  "command-sources@1": {
    contributes: { ask: "may set the messages that its commands send in your name" },
    reads: { ask: "may see other extensions' commands, and run them" },
  },
  "model-providers@1": {
    contributes: { ask: "may answer as a model, and sees the requests" },
    reads: { ask: "may call every model with your keys" },
  },
  "prompt-segments@1": {
    contributes: { ask: "adds text to every prompt" },
    reads: { ask: "may read other extensions' prompt segments" },
  },
  "prompt-variables@1": {
    contributes: { tell: "adds variables that templates can name" },
    reads: { ask: "may read other extensions' variables" },
  },
  "tool-sources@1": {
    contributes: { tell: "adds tools for models" },
    reads: { ask: "may run every tool" },
  },
  "tools@1": {
    contributes: { tell: "adds tools for models" },
    reads: { ask: "may run every tool" },
  },
  "work-observers@1": {
    contributes: {
      ask: "may observe turns, model calls and tool calls, with their content where enabled",
    },
    reads: { ask: "may report work to observers that never happened" },
  },
} as const satisfies Record<string, PointPowers>);

/** Extensions share this module, so freeze it: an extension must not change the questions for the next one. */
function frozenPowers<Powers extends object>(powers: Powers): Powers {
  for (const power of Object.values(powers))
    for (const use of Object.values(Object.freeze(power))) Object.freeze(use);
  return Object.freeze(powers);
}
