import type { TerminalCommand } from "./command.ts";
import { help } from "./help.ts";
import { model } from "./model.ts";
import { begin } from "./new.ts";
import { quit } from "./quit.ts";

/** Every command of the terminal, by its name. */
export const commands: readonly TerminalCommand[] = [begin, help, model, quit];
