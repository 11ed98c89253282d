import { promptReasonWords } from "@incipit/cli-text";
import { Block, hanging, harmless } from "../transcript/block.ts";
import type { TerminalCommand } from "./command.ts";
import { promptOf, sizeText } from "./conversation-prompt.ts";
import { chooseVersion } from "./prompt-versions.ts";
import { minuteOf } from "./when.ts";

export const prompt: TerminalCommand = {
  name: "prompt",
  summary: "shows the system prompt; versions: selects another template",
  argument: "[versions]",
  complete: async () => [{ value: "versions", label: "versions", description: "the stored templates" }],
  async run(context, argument) {
    const { session, style, print, tell } = context;
    if (argument === "versions") return chooseVersion(context);
    if (argument !== "") return tell(`"/prompt" accepts "versions" or no argument`, "bad");
    const { text, explain, kept } = await promptOf(session);
    const since = kept?.constructedAt ?? null;
    const head =
      kept === undefined
        ? "Preview of the prompt; the first message stores it"
        : `System prompt${since === null ? "" : `, built ${minuteOf(since)}${kept.reason === null ? "" : `, ${promptReasonWords[kept.reason]}`}`}`;
    const who = kept?.by == null ? "" : `, for ${kept.by}${kept.note === null ? "" : `: ${kept.note}`}`;
    print(
      new Block((width) => [
        "",
        ...hanging(style.strong(harmless(`${head}${who}`)), { first: "", width }),
        ...marked(text, width).map((line) => `${style.muted("│")}${line}`),
        ...hanging(style.muted(sizeText(explain, width)), { first: "", width }),
      ]),
    );
  },
};

function marked(text: string, width: number): readonly string[] {
  if (text === "") return [" (nothing)"];
  return harmless(text.replace(/\n$/, ""))
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : hanging(line, { first: " ", width: width - 1 })));
}
