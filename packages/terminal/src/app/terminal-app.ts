import { Spacer } from "@earendil-works/pi-tui";
import { brokenExtensions, brokenExtensionsLine } from "@incipit/cli-text";
import { routes, type Client } from "@incipit/transport-contract";
import type { EditorContent } from "../approval/answer-keys.ts";
import { processTiming } from "../approval/quiet-timer.ts";
import type { CommandContext } from "../commands/command.ts";
import { cycleEffort } from "../commands/effort.ts";
import { expand } from "../commands/expand.ts";
import { commands } from "../commands/index.ts";
import { runCommand } from "../commands/run-command.ts";
import { Completion } from "../input/completion.ts";
import { PastingTerminal } from "../input/pasting-terminal.ts";
import { isSilentKey, isTerminalReply } from "../input/terminal-replies.ts";
import type { TerminalEnd, TerminalOptions } from "../options/terminal-options.ts";
import { LogScreen } from "../screen/log-screen.ts";
import type { Stage } from "../screen/stage.ts";
import { WholeScreen } from "../screen/whole-screen.ts";
import { TerminalSession } from "../session/terminal-session.ts";
import { QueueLines } from "../status/queue-lines.ts";
import { StatusLine } from "../status/status-line.ts";
import { WorkingLine } from "../status/working-line.ts";
import { colourDepth } from "../style/colour-depth.ts";
import { Highlighter } from "../style/highlight.ts";
import { createStyle, type Scheme, type Style } from "../style/style.ts";
import { followScheme, schemeOf } from "../style/terminal-scheme.ts";
import { wrappedBlock } from "../transcript/block.ts";
import { noticeBlock, type Level } from "../transcript/message-blocks.ts";
import { TurnWriter } from "../transcript/turn-writer.ts";
import { enterLine } from "./enter-line.ts";
import { Foreground } from "./foreground.ts";
import { restoreTerminalAtExit } from "./restore-terminal.ts";
import { isReport, takesKey } from "./key-actions.ts";
import { ScreenLease } from "./screen-lease.ts";
import { HiddenWhenSmall } from "./hidden-when-small.ts";
import { Writing } from "./writing.ts";

const leaveWithinMs = 2_000;
/** The shell would read late replies as keys. */
const lastAnswersMs = 300;
const rowsBelow = 8;
const rowsForStatus = 9;

class TerminalApp {
  readonly #options: TerminalOptions;
  readonly #style: Style;
  #scheme: Scheme;
  readonly #highlighter: Highlighter;
  readonly #terminal: PastingTerminal;
  readonly #stage: Stage;
  readonly #lease: ScreenLease;
  readonly #writing: Writing;
  readonly #foreground: Foreground;
  readonly #writer: TurnWriter;
  readonly #left = Promise.withResolvers<void>();
  #session: TerminalSession | undefined;
  #working: WorkingLine | undefined;
  #isAway = false;
  #effortChange = Promise.resolve();
  #isInterrupted = false;
  #takenBack = "";
  #leaveAskedMs = Number.NEGATIVE_INFINITY;

  constructor(options: TerminalOptions) {
    this.#options = options;
    const { theme = "auto" } = options;
    this.#scheme = theme === "auto" ? schemeOf(options.env) : theme;
    this.#style = createStyle({ depth: colourDepth(options.env), scheme: () => this.#scheme });
    this.#highlighter = new Highlighter(this.#style);
    this.#terminal = new PastingTerminal({
      onGone: () => this.#left.resolve(),
      onStart: () => this.#foreground.disturb(),
    });
    this.#stage = options.isWholeScreen
      ? new WholeScreen(this.#terminal)
      : new LogScreen(this.#terminal, { isXtermJs: () => this.#terminal.isXtermJs });
    this.#lease = new ScreenLease(this.#stage, { answered: () => this.#terminal.answered(lastAnswersMs) });
    this.#writing = new Writing({
      options,
      stage: this.#stage,
      lend: (program) => this.#lease.lend(program),
      style: this.#style,
      print: (block) => this.#stage.print(block),
      tell: (text, level) => this.#tell(text, level),
      tellProblem: (error) => this.#tellProblem(error),
      choose: (title, choices) => this.#foreground.choose(title, choices),
      enter: (text) => this.#enter(text),
    });
    const maxRows = (): number => Math.max(1, this.#stage.terminal.rows - rowsBelow);
    const looks = { style: this.#style, highlighter: this.#highlighter };
    this.#writer = new TurnWriter({
      print: (block) => this.#stage.print(block),
      maxRows,
      looks,
      failureAdvice: (failure) => options.failureAdvice(failure, this.#session?.conversation?.model),
    });
    this.#foreground = new Foreground({
      style: this.#style,
      width: () => this.#stage.terminal.columns,
      maxRows,
      requestRender: () => this.#stage.requestRender(),
      onChange: () => this.#arrange(),
      onAnswer: (approvalId, answer) => void this.#answer((session) => session.answer(approvalId, answer)),
      onValues: (questionId, answer) => void this.#answer((session) => session.answerQuestion(questionId, answer)),
      onShowAll: (lines) => this.#stage.print(wrappedBlock(lines)),
      editor: {
        content: () => this.#editorContent(),
        clear: () => this.#writing.editor.setText(""),
        type: (data) => this.#writing.editor.handleInput(data),
      },
      timing: processTiming(options.answerSettleMs),
      onLateAnswer: (key) =>
        this.#tell(`The question has closed: "${key}" was not sent and is still in the editor`, "warning"),
    });
  }

  /** Resolves on exit; always restores the screen. */
  async run(): Promise<TerminalEnd> {
    const stage = this.#stage;
    for (const line of this.#options.greeting) this.#tell(line);
    stage.beforeFrame = () => this.#writer.flush();
    stage.addInputListener((data) => (this.#takesKey(data) ? { consume: true } : undefined));
    this.#arrange();
    using _ = restoreTerminalAtExit(() => this.#lease.giveBack());
    this.#lease.take();
    if ((this.#options.theme ?? "auto") === "auto") this.#followScheme();
    const stop = (): void => this.#left.resolve();
    process.once("SIGTERM", stop).once("SIGHUP", stop);
    try {
      await Promise.race([this.#begin(), this.#left.promise]);
      await this.#left.promise;
      return { conversationId: this.#session?.conversation?.id, isInterrupted: this.#isInterrupted };
    } finally {
      process.off("SIGTERM", stop).off("SIGHUP", stop);
      this.#working?.stop();
      this.#foreground.close();
      this.#session?.close();
      await this.#terminal.answered(lastAnswersMs);
      this.#lease.giveBack();
    }
  }

  #followScheme(): void {
    const stage = this.#stage;
    followScheme(stage, (scheme) => {
      if (scheme === this.#scheme) return;
      this.#scheme = scheme;
      stage.invalidate();
      stage.requestRender();
    });
  }

  async #begin(): Promise<void> {
    const { connect, cwd, model, profile, effort, eachTurn, conversation } = this.#options;
    const { client, note } = await connect((text) => this.#tell(text, "warning"));
    const session = new TerminalSession({
      client,
      cwd,
      model,
      profile,
      effort,
      eachTurn,
      listener: {
        onPast: (messages, more) => this.#writer.past(messages, more),
        onEvent: async (event) => {
          await this.#writer.take(event);
          if (event.type === "turn-start") this.#writing.turnBegun(event.turnId);
        },
        onLeave: ({ isRunning }) => {
          this.#writer.leave();
          if (isRunning) this.#tell("The turn continues in the background: /resume returns to it");
        },
        onChange: () => this.#update(),
        onAway: (isAway) => {
          this.#isAway = isAway;
          if (!isAway) this.#tell("The host is back", "good");
          this.#update();
        },
        onProblem: (error) => this.#tellProblem(error),
      },
    });
    this.#session = session;
    this.#working = new WorkingLine({
      running: () => session.running,
      isAway: () => this.#isAway,
      style: this.#style,
      requestRender: () => this.#stage.requestRender(),
    });
    if (note !== undefined) this.#tell(note);
    this.#writing.editor.setAutocompleteProvider(
      new Completion({ session, commands, columns: () => this.#stage.terminal.columns }),
    );
    this.#arrange();
    const [id] = await Promise.all([conversation?.(client), session.begin(), this.#tellBroken(client)]);
    if (id !== undefined) await session.open(id);
    if (id !== undefined && model !== undefined && model !== session.model) await session.setModel(model);
    if (id !== undefined && effort !== undefined && effort !== session.effort) await session.setEffort(effort);
    this.#writing.begin();
  }

  async #tellBroken(client: Client): Promise<void> {
    const { extensions } = await client.call(routes.listExtensions);
    const line = brokenExtensionsLine(brokenExtensions(extensions));
    if (line !== undefined) this.#tell(line, "warning");
  }

  #arrange(): void {
    const { bottom } = this.#stage;
    const { question, picker } = this.#foreground;
    const session = this.#session;
    const front = picker ?? this.#writing.editor;
    bottom.clear();
    bottom.addChild(this.#writer.live);
    bottom.addChild(new Spacer(1));
    if (this.#working !== undefined && question === undefined) bottom.addChild(this.#working);
    // A picker needs the rows, and /queue shows the same list.
    if (picker === undefined)
      bottom.addChild(new QueueLines(() => this.#writing.asWritten(session?.queue ?? []), this.#style));
    if (question !== undefined) bottom.addChild(question);
    bottom.addChild(front);
    const hasRoom = (): boolean => this.#stage.terminal.rows >= rowsForStatus;
    if (session !== undefined) bottom.addChild(new HiddenWhenSmall(new StatusLine(session, this.#style), hasRoom));
    this.#stage.setFocus(front);
    this.#stage.requestRender();
  }

  #update(): void {
    this.#working?.update();
    this.#foreground.ask(this.#session?.approvals[0], this.#session?.questions[0]);
    this.#stage.requestRender();
  }

  async #answer(send: (session: TerminalSession) => Promise<void>): Promise<void> {
    try {
      if (this.#session !== undefined) await send(this.#session);
    } catch (error) {
      this.#foreground.question?.input.reopen();
      this.#tellProblem(error);
    }
  }

  #editorContent(): EditorContent {
    const { editor } = this.#writing;
    return { text: editor.getText(), isOffering: editor.isShowingAutocomplete() };
  }

  #takesKey(data: string): boolean {
    if (isTerminalReply(data) || isSilentKey(data)) return true;
    if (isReport(data)) return false;
    const { picker, question } = this.#foreground;
    if (picker !== undefined) {
      question?.input.disturb();
      return picker.takeKey({ data, isAlone: this.#terminal.isAlone(data) });
    }
    const always = takesKey(data, [
      ["ctrl+c", () => this.#interrupt()],
      ["ctrl+z", () => this.#suspend()],
    ]);
    if (always) {
      question?.input.disturb();
      return true;
    }
    if (this.#foreground.takeKey({ data, isAlone: this.#terminal.isAlone(data) })) {
      this.#stage.requestRender();
      return true;
    }
    return takesKey(data, [
      ["ctrl+d", () => this.#writing.editor.getText() === "" && this.#leave()],
      // Completions come first.
      [
        "escape",
        () =>
          // A question treats Escape as a denial; pressed too early for that, it must not stop the turn either.
          question === undefined &&
          !this.#writing.editor.isShowingAutocomplete() &&
          this.#session?.running !== undefined &&
          this.#stop(),
      ],
      ["alt+up", () => this.#takeBack()],
      ["ctrl+t", () => this.#cycleEffort()],
      ["ctrl+o", () => this.#expand()],
      ["ctrl+r", () => this.#writing.searchHistory()],
      ["ctrl+g", () => this.#writing.writeInEditor()],
      ["ctrl+v", () => this.#writing.attachClipboard()],
    ]);
  }

  #interrupt(): true {
    const hasAsked = performance.now() - this.#leaveAskedMs < leaveWithinMs;
    const written = this.#writing.editor.getText();
    // Text put back from the queue does not count as typed.
    if (written !== "" && !(hasAsked && written === this.#takenBack)) {
      this.#writing.clear();
      return true;
    }
    if (hasAsked) {
      this.#isInterrupted = true;
      return this.#leave();
    }
    this.#leaveAskedMs = performance.now();
    if (this.#session?.running === undefined) this.#tell("Ctrl-C again exits");
    else {
      this.#tell("Stopping the turn; Ctrl-C again exits");
      this.#stop();
    }
    return true;
  }

  #stop(): true {
    this.#takeBackAndStop().catch((error: unknown) => this.#tellProblem(error));
    return true;
  }

  async #takeBackAndStop(): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    const own = session.queue.flatMap(({ turnId }) => (this.#writing.hasSent(turnId) ? [turnId] : []));
    try {
      const count = this.#writing.takenBackAll(await session.takeBackAll(own));
      this.#takenBack = this.#writing.editor.getText();
      if (count === 1) this.#tell("The queued message is back in the editor");
      if (count > 1) this.#tell(`The ${count} queued messages are back in the editor`);
    } finally {
      await session.stop();
    }
  }

  #leave(): true {
    this.#left.resolve();
    return true;
  }

  #suspend(): true {
    void this.#lease.suspend();
    return true;
  }

  #takeBack(): true {
    const session = this.#session;
    const last = session?.queue.at(-1);
    if (session === undefined || last === undefined) return true;
    const taking = session.takeBack(last.turnId).then((text) => {
      if (text !== undefined) this.#writing.takenBack(last.turnId, text);
    });
    taking.catch((error: unknown) => this.#tellProblem(error));
    return true;
  }

  /** Changes are serialized, because each starts from the previous level. */
  #cycleEffort(): true {
    const session = this.#session;
    if (session === undefined) return true;
    this.#effortChange = this.#effortChange
      .then(() => cycleEffort(this.#context(session)))
      .catch((error: unknown) => this.#tellProblem(error));
    return true;
  }

  #expand(): true {
    const session = this.#session;
    if (session !== undefined)
      runCommand(expand, this.#context(session), "").catch((error: unknown) => this.#tellProblem(error));
    return true;
  }

  async #enter(text: string): Promise<string | undefined> {
    const session = this.#session;
    if (session === undefined) return undefined;
    if (this.#foreground.question !== undefined && isAnswerWord(text))
      this.#tell(`"${text}" is sent to the model as a message; it does not answer the question`, "warning");
    const { attachments } = this.#writing;
    const { readFiles } = this.#options;
    const runOwnCommand: TerminalOptions["runCommand"] = (command, folder) =>
      this.#lease.lend(() => this.#options.runCommand(command, folder));
    return enterLine(text, this.#context(session), {
      attachments,
      readFiles,
      runCommand: runOwnCommand,
      attachOutput: (name, output) => this.#writing.attachOutput(name, output),
    });
  }

  #context(session: TerminalSession): CommandContext {
    return {
      session,
      style: this.#style,
      highlighter: this.#highlighter,
      expandWith: "Ctrl-O",
      commands,
      print: (block) => this.#stage.print(block),
      tell: (text, level) => this.#tell(text, level),
      choose: this.#foreground.choose,
      send: async (body) => void (await session.send(body)),
      write: (text) => this.#writing.write(text),
      folderTrust: this.#options.folderTrust,
      writeExport: this.#options.writeExport,
      leave: () => this.#left.resolve(),
    };
  }

  #tell(text: string, level: Level = "muted"): void {
    this.#stage.print(noticeBlock(text, { level, style: this.#style }));
  }

  #tellProblem(error: unknown): void {
    this.#tell(this.#options.problemText(error), "bad");
  }
}

function isAnswerWord(text: string): boolean {
  return /^(?:[ynf1-9]|yes|no)$/i.test(text);
}

/** Resolves when the user exits. */
export function openTerminal(options: TerminalOptions): Promise<TerminalEnd> {
  return new TerminalApp(options).run();
}
