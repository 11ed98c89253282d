import { stripTerminalSequences } from "@earendil-works/pi-tui";
import { nearestWord } from "@incipit/common/suggestion";
import { escapeHidden } from "@incipit/schema/text";
import { parseCommandCall, type TurnBody } from "@incipit/schema";
import type { Client } from "@incipit/transport-contract";
import type { Choice, ChooseOptions, CommandContext } from "../commands/command.ts";
import { commands } from "../commands/index.ts";
import { runCommand } from "../commands/run-command.ts";
import { unknownCommand } from "../commands/unknown-command.ts";
import { TerminalSession } from "../session/terminal-session.ts";
import { Highlighter } from "../style/highlight.ts";
import { createStyle } from "../style/style.ts";

export interface LineCommandsOptions {
  readonly client: Client;
  readonly cwd: string;
  readonly conversationId: string;
  readonly width: () => number;
  /** Text is sanitized. */
  readonly print: (text: string) => void;
  /** `undefined` at the end of input. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly folderTrust: CommandContext["folderTrust"];
  readonly writeExport: CommandContext["writeExport"];
  readonly problemText: (error: unknown) => string;
}

export type LineEnd = "done" | "leave" | "not-mine";

const maxListed = 40;

/** Commands in line mode: plain lines as output, numbers as answers. */
export class LineCommands {
  readonly #options: LineCommandsOptions;
  readonly #session: TerminalSession;
  #isOpen = false;
  #toSend: TurnBody["input"];

  constructor(options: LineCommandsOptions) {
    this.#options = options;
    const { client, cwd, problemText, print } = options;
    this.#session = new TerminalSession({
      client,
      cwd,
      eachTurn: {},
      listener: {
        onPast: () => {},
        onEvent: () => {},
        onLeave: () => {},
        onChange: () => {},
        onAway: () => {},
        onProblem: (error) => print(problemText(error)),
      },
    });
  }

  get conversationId(): string | undefined {
    return this.#isOpen ? this.#session.conversation?.id : this.#options.conversationId;
  }

  async begun(): Promise<string> {
    return this.conversationId ?? (await this.#session.begun()).id;
  }

  takeMessage(): TurnBody["input"] {
    const input = this.#toSend;
    this.#toSend = undefined;
    return input;
  }

  /** Resolves with `not-mine` for a message and for commands of the host. */
  async run(line: string): Promise<LineEnd> {
    const [, name = "", argument = ""] = /^\/(\S+)\s*(.*)$/s.exec(line) ?? [];
    const command = commands.find((one) => one.name === name);
    if (command === undefined) return this.#refuse(line);
    let hasLeft = false;
    try {
      await this.#open();
      const context = this.#context(() => (hasLeft = true));
      await runCommand(command, context, argument.trim());
    } catch (error) {
      this.#options.print(this.#options.problemText(error));
    }
    return hasLeft ? "leave" : "done";
  }

  async #refuse(line: string): Promise<LineEnd> {
    const call = parseCommandCall(line);
    if (call === undefined) return "not-mine";
    try {
      const unknown = await unknownCommand(call.name, { session: this.#session, commands });
      if (unknown === undefined) return "not-mine";
      this.#options.print(unknown);
    } catch (error) {
      this.#options.print(this.#options.problemText(error));
    }
    return "done";
  }

  close(): void {
    this.#session.close();
  }

  async #open(): Promise<void> {
    if (this.#isOpen) return;
    await this.#session.begin();
    await this.#session.open(this.#options.conversationId);
    this.#isOpen = true;
  }

  #context(leave: () => void): CommandContext {
    const { print, width } = this.#options;
    const style = createStyle({ depth: 0, scheme: () => "dark", isPlain: true });
    return {
      session: this.#session,
      style,
      highlighter: new Highlighter(style),
      expandWith: "/expand",
      commands,
      print: (block) => print(readable(block.render(width()))),
      tell: (text) => print(escapeHidden(text)),
      choose: (title, choices, options) => this.#choose(title, choices, options),
      send: async ({ input }) => {
        this.#toSend = input;
      },
      write: (text) => print(`Not sent:\n${escapeHidden(text)}`),
      folderTrust: this.#options.folderTrust,
      writeExport: this.#options.writeExport,
      leave,
    };
  }

  async #choose(
    title: string,
    choices: readonly Choice[],
    { current, empty }: ChooseOptions = {},
  ): Promise<string | undefined> {
    const { print, ask } = this.#options;
    if (choices.length === 0) {
      print(empty ?? "No choices");
      return undefined;
    }
    const listed = choices.slice(0, maxListed);
    const more = choices.length > listed.length ? [`${choices.length - listed.length} more are not listed.`] : [];
    const rows = listed.map(({ value, label, description }, index) => {
      const said = description === undefined || description === "" ? "" : `, ${description}`;
      return escapeHidden(`${index + 1}: ${label}${said}${value === current ? ", current" : ""}`);
    });
    print([escapeHidden(title), ...rows, ...more].join("\n"));
    const answer = (await ask("Number, or Enter to cancel: "))?.trim() ?? "";
    const chosen = /^\d+$/.test(answer)
      ? choices[Number(answer) - 1]
      : choices.find(({ value }) => value === answer);
    if (chosen === undefined && answer !== "") {
      const nearest = nearestWord(
        answer,
        listed.map(({ value }) => value),
      );
      print(
        `Nothing was chosen: ${escapeHidden(answer)} is not in the list${nearest === undefined ? "" : `; did you mean ${nearest}?`}`,
      );
    }
    return chosen?.value;
  }
}

/** Gutter characters that mark foreign text. */
const marks = /[\u2502\u2506]/g;
/** They make no sense when read out. */
const drawings = /[\u2500-\u259F\u2800-\u28FF]+ ?/g;

function readable(rows: readonly string[]): string {
  const texts = rows.map((row) => stripTerminalSequences(row).replaceAll(marks, ">").trimEnd());
  const isDrawn = (text: string): boolean => text !== "" && text.replaceAll(drawings, "").trim() === "";
  return texts
    .filter((text) => !isDrawn(text))
    .map((text) => text.replaceAll(drawings, ""))
    .join("\n");
}
