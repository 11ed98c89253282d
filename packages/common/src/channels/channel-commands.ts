interface ChannelCommand {
  readonly name: string;
  readonly description: string;
  readonly argument?: { readonly name: string; readonly description: string };
}

/** Implemented by the host, see docs/guide/channels.md. */
export const channelCommands: readonly ChannelCommand[] = [
  { name: "new", description: "Start a new conversation" },
  { name: "stop", description: "Stop the current turn" },
  {
    name: "model",
    description: "Show or choose the model",
    argument: { name: "model", description: "PROVIDER/MODEL, or default" },
  },
  {
    name: "profile",
    description: "Show the profiles, or start with one",
    argument: { name: "profile", description: "Its name, or default" },
  },
  {
    name: "prompt",
    description: "Show whether the system prompt has changed",
    argument: { name: "action", description: "rebuild applies the changes" },
  },
  {
    name: "files",
    description: "Show the files in requests, or remove one",
    argument: { name: "action", description: "remove, or remove ID" },
  },
  { name: "status", description: "Show the status" },
  { name: "help", description: "List the commands" },
];
