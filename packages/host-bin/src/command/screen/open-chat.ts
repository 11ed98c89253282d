import { DataFolder } from "@incipit/host/data-folder";
import type { TalkOption } from "../registry/ask-options.ts";
import type { Call } from "../registry/command.ts";
import { isAtTerminal } from "../terminal/terminal-input.ts";

/** Opens a chat; in line mode for screen readers and for terminals that cannot draw. */
export async function openChat({
  args,
  output,
  host,
}: Call<[], TalkOption | "isForScreenReader">): Promise<number> {
  const isScreenPossible = isAtTerminal() && !args.isJson;
  let isForScreenReader = isScreenPossible && (args.isForScreenReader || process.env["TERM"] === "dumb");
  if (isScreenPossible && !isForScreenReader) {
    const { openScreenOnHost } = await import("./screen-on-host.ts");
    const code = await openScreenOnHost({ args, output, config: host.config });
    if (code !== undefined) return code;
    const { dataFolder, config } = await host.load();
    const { terminal } = config();
    isForScreenReader = terminal.screen_reader;
    if (!isForScreenReader) {
      const { cwd } = await host.start();
      // Questions about trust have to come before the screen opens.
      if (DataFolder.look(dataFolder).kind === "free") await host.config();
      const { screen } = await import("./screen.ts");
      return screen({ open: host.open, cwd, dataFolder, args, settings: terminal, output });
    }
  }
  const { chat } = await import("../ask/chat.ts");
  return chat(await host.connect(), { ...args, isForScreenReader }, output);
}
