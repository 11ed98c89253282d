import { audit } from "./audit.ts";
import type { TerminalCommand } from "./command.ts";
import { compact } from "./compact.ts";
import { context } from "./context.ts";
import { cost } from "./cost.ts";
import { cwd } from "./cwd.ts";
import { drift } from "./drift.ts";
import { expand } from "./expand.ts";
import { explain } from "./explain.ts";
import { effort } from "./effort.ts";
import { exported } from "./export.ts";
import { fork } from "./fork.ts";
import { help } from "./help.ts";
import { history } from "./history.ts";
import { mcp } from "./mcp.ts";
import { model } from "./model.ts";
import { begin, quit, stop } from "./new.ts";
import { ownCommands } from "./own-commands.ts";
import { profile } from "./profile.ts";
import { prompt } from "./prompt.ts";
import { queue } from "./queue.ts";
import { rebuild } from "./rebuild.ts";
import { removeFile } from "./remove-file.ts";
import { resume } from "./resume.ts";
import { title } from "./title.ts";
import { tools } from "./tools.ts";
import { trust } from "./trust.ts";
import { redo, retry, undo } from "./undo.ts";

export const commands: readonly TerminalCommand[] = [
  prompt,
  explain,
  drift,
  rebuild,
  removeFile,
  compact,
  context,
  cost,
  audit,
  model,
  effort,
  profile,
  tools,
  mcp,
  trust,
  cwd,
  begin,
  resume,
  fork,
  undo,
  redo,
  retry,
  history,
  expand,
  title,
  exported,
  queue,
  stop,
  ownCommands,
  help,
  quit,
];
