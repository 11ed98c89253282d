import type { Command } from "../registry/command.ts";
import { askCommands } from "./ask-commands.ts";
import { conversationCommands } from "./conversation-commands.ts";
import { hostCommands } from "./host-commands.ts";
import { promptCommands } from "./prompt-commands.ts";
import { runningCommands } from "./running-commands.ts";
import { serviceCommands } from "./service-commands.ts";

/** In the order of the help. */
export const commands: readonly Command[] = [
  ...askCommands,
  ...runningCommands,
  ...conversationCommands,
  ...promptCommands,
  ...serviceCommands,
  ...hostCommands,
];
