import { Spacer } from "@earendil-works/pi-tui";
import type { ApprovalDecision } from "@incipit/schema";
import type { CommandContext } from "../commands/command.ts";
import { commands } from "../commands/index.ts";
import { Attachments } from "../input/attachments.ts";
import { clipboardImage } from "../input/clipboard-image.ts";
import { Completion } from "../input/completion.ts";
import { drawn, undisguised } from "../input/disguise.ts";
import { MessageEditor } from "../input/message-editor.ts";
import { PastingTerminal } from "../input/pasting-terminal.ts";
import { SentHistory } from "../input/sent-history.ts";
import type { TerminalEnd, TerminalOptions } from "../options/terminal-options.ts";
import { LogScreen } from "../screen/log-screen.ts";
import type { Stage } from "../screen/stage.ts";
import { WholeScreen } from "../screen/whole-screen.ts";
import { ConversationSession } from "../session/conversation-session.ts";
import { QueueLines } from "../status/queue-lines.ts";
import { StatusLine } from "../status/status-line.ts";
import { WorkingLine } from "../status/working-line.ts";
import { colourDepth } from "../style/colour-depth.ts";
import { Highlighter } from "../style/highlight.ts";
import { createStyle, type Scheme, type Style } from "../style/style.ts";
import { askForScheme, schemeOf } from "../style/terminal-scheme.ts";
import { harmless, wrappedBlock } from "../transcript/block.ts";
import { noticeBlock, type Level } from "../transcript/message-blocks.ts";
import { TurnWriter } from "../transcript/turn-writer.ts";
import { enterLine } from "./enter-line.ts";
import { Foreground } from "./foreground.ts";
import { givenBackAtExit } from "./given-back.ts";
import { keptPaste } from "./kept-paste.ts";
import { takesKey } from "./key-actions.ts";
import { Outbox } from "./outbox.ts";
import { writtenInEditor } from "./own-editor.ts";
import { suspend } from "./suspend.ts";
import { WhereThereIsRoom } from "./where-there-is-room.ts";

/** A second Ctrl-C within this time leaves. */
const leaveWithinMs = 2_000;
/** Rows for the editor, the status and what stands around them. */
const rowsBelow = 8;
/** A smaller window has none for the status. */
const rowsForStatus = 9;
/** What the editor's own way through what was sent before has. */
const editorHistory = 100;

/** The terminal: the conversation above, and below it the editor with what is waited for and what it costs. */
export class TerminalApp {
  readonly #options: TerminalOptions;
  readonly #style: Style;
  #scheme: Scheme;
  readonly #highlighter: Highlighter;
  readonly #stage: Stage;
  readonly #editor: MessageEditor;
  readonly #attachments = new Attachments();
  readonly #outbox: Outbox;
  /** What was written for the messages that were sent from here, by their turns. */
  readonly #written = new Map<string, string>();
  readonly #history: SentHistory;
  readonly #foreground: Foreground;
  readonly #writer: TurnWriter;
  readonly #left = Promise.withResolvers<void>();
  #session: ConversationSession | undefined;
  #working: WorkingLine | undefined;
  #isAway = false;
  /** What is written begins with white space. */
  #isIndented = false;
  #leaveAskedMs = Number.NEGATIVE_INFINITY;

  constructor(options: TerminalOptions) {
    this.#options = options;
    const { theme = "auto" } = options;
    this.#scheme = theme === "auto" ? schemeOf(options.env) : theme;
    this.#style = createStyle({ depth: colourDepth(options.env), scheme: () => this.#scheme });
    this.#highlighter = new Highlighter(this.#style);
    const screen = new PastingTerminal();
    this.#stage = options.isWholeScreen ? new WholeScreen(screen) : new LogScreen(screen);
    const attachments = this.#attachments;
    this.#editor = new MessageEditor({
      stage: this.#stage,
      style: this.#style,
      attachments,
      tell: (text) => this.#tell(text),
      keep: (pasted) => keptPaste(pasted, { attachments, tell: (text) => this.#tell(text, "warning") }),
    });
    // The editor takes white space away; in front of a command it says that the line is a message.
    this.#editor.onSubmit = (text) => this.#enter(this.#isIndented ? ` ${text}` : text);
    this.#outbox = new Outbox({
      enter: (text) => this.#send(text),
      onFailure: (error, texts) => {
        this.#tellProblem(error);
        this.#writeAbove(texts.join("\n")); // What could not be sent is not lost.
      },
    });
    this.#history = new SentHistory(options.historyFile);
    for (const text of this.#history.newestFirst.slice(0, editorHistory).toReversed())
      this.#editor.addToHistory(text);
    const maxRows = (): number => Math.max(1, this.#stage.terminal.rows - rowsBelow);
    const looks = { style: this.#style, highlighter: this.#highlighter };
    this.#writer = new TurnWriter({ print: (block) => this.#stage.print(block), maxRows, looks });
    this.#foreground = new Foreground({
      style: this.#style,
      maxRows,
      requestRender: () => this.#stage.requestRender(),
      onChange: () => this.#arrange(),
      onDecision: (approvalId, decision) => void this.#decide(approvalId, decision),
      onShowAll: (lines) => this.#stage.print(wrappedBlock(lines)),
      onOtherKey: (data) => this.#editor.handleInput(data),
    });
  }

  /** Resolves when it was left. Whatever happens, the screen is given back as it was found. */
  async run(): Promise<TerminalEnd> {
    const stage = this.#stage;
    for (const line of this.#options.greeting) this.#tell(line);
    stage.beforeFrame = () => this.#writer.flush();
    stage.addInputListener((data) => (this.#takesKey(data) ? { consume: true } : undefined));
    this.#arrange();
    stage.start();
    if ((this.#options.theme ?? "auto") === "auto") void this.#findScheme();
    using _ = givenBackAtExit(() => stage.stop());
    const stop = (): void => this.#left.resolve();
    process.once("SIGTERM", stop).once("SIGHUP", stop);
    try {
      await Promise.race([this.#begin(), this.#left.promise]);
      await this.#left.promise;
      return { conversationId: this.#session?.conversation?.id };
    } finally {
      process.off("SIGTERM", stop).off("SIGHUP", stop);
      this.#working?.stop();
      this.#foreground.close();
      this.#session?.close();
      stage.stop();
    }
  }

  /** Dark and light are told apart by the terminal itself, also when somebody changes it. */
  async #findScheme(): Promise<void> {
    const stage = this.#stage;
    const take = (scheme: Scheme | undefined): void => {
      if (scheme === undefined || scheme === this.#scheme) return;
      this.#scheme = scheme;
      stage.invalidate();
      stage.requestRender();
    };
    stage.onTerminalColorSchemeChange(take);
    stage.setTerminalColorSchemeNotifications(true);
    take(await askForScheme(stage));
  }

  async #begin(): Promise<void> {
    const { connect, cwd, model, profile, conversation } = this.#options;
    const { client, note } = await connect((text) => this.#tell(text, "warning"));
    const session = new ConversationSession({
      client,
      cwd,
      ...(model === undefined ? {} : { model }),
      ...(profile === undefined ? {} : { profile }),
      listener: {
        onPast: (messages, more) => this.#writer.past(messages, more),
        onEvent: (event) => this.#writer.take(event),
        onLeave: ({ isRunning }) => {
          this.#writer.leave();
          if (isRunning) this.#tell("What runs goes on without you: /resume comes back to it");
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
    this.#editor.setAutocompleteProvider(new Completion({ session, commands }));
    this.#arrange();
    const id = await conversation?.(client);
    await session.begin();
    if (this.#style.keyword("x") !== "x") await this.#highlighter.load();
    if (id !== undefined) await session.open(id);
    this.#outbox.open();
  }

  /** What is below the log, from top to bottom. */
  #arrange(): void {
    const { bottom } = this.#stage;
    const { question, picker } = this.#foreground;
    const session = this.#session;
    const front = picker ?? this.#editor;
    bottom.clear();
    bottom.addChild(this.#writer.live);
    bottom.addChild(new Spacer(1));
    if (this.#working !== undefined && question === undefined) bottom.addChild(this.#working);
    bottom.addChild(new QueueLines(() => this.#waiting(), this.#style));
    if (question !== undefined) bottom.addChild(question);
    bottom.addChild(front);
    const hasRoom = (): boolean => this.#stage.terminal.rows >= rowsForStatus;
    if (session !== undefined) bottom.addChild(new WhereThereIsRoom(new StatusLine(session, this.#style), hasRoom));
    this.#stage.setFocus(front);
    this.#stage.requestRender();
  }

  /** What was entered and has not been sent to a model. */
  #waiting(): readonly { readonly input: string }[] {
    return [...this.#outbox.waiting.map((input) => ({ input })), ...(this.#session?.queue ?? [])];
  }

  /** Takes in what the session says. */
  #update(): void {
    this.#working?.update();
    this.#foreground.ask(this.#session?.approvals[0]);
    this.#stage.requestRender();
  }

  async #decide(approvalId: string, decision: ApprovalDecision): Promise<void> {
    try {
      await this.#session?.answer(approvalId, decision);
    } catch (error) {
      this.#tellProblem(error);
    }
  }

  /** Keys that mean the same wherever the cursor is. */
  #takesKey(data: string): boolean {
    this.#isIndented = /^\s/.test(this.#editor.getLines()[0] ?? "");
    const { picker, question } = this.#foreground;
    if (picker !== undefined) return false;
    const always = takesKey(data, [
      ["ctrl+c", () => this.#interrupt()],
      ["ctrl+z", () => this.#suspend()],
    ]);
    if (always) return true;
    if (question !== undefined) {
      question.handleInput(data);
      this.#stage.requestRender();
      return true;
    }
    return takesKey(data, [
      ["ctrl+d", () => this.#editor.getText() === "" && this.#leave()],
      ["escape", () => this.#session?.running !== undefined && this.#stop()],
      ["alt+up", () => this.#takeBack()],
      ["ctrl+o", () => this.#showLastOutput()],
      ["ctrl+r", () => this.#searchHistory()],
      ["ctrl+g", () => this.#writeInEditor()],
      ["ctrl+v", () => this.#attachClipboard()],
    ]);
  }

  /** Ctrl-C: clears what is written, then stops what runs; a second time it leaves. */
  #interrupt(): true {
    if (this.#editor.getText() !== "") {
      this.#write("");
      return true;
    }
    const nowMs = performance.now();
    if (nowMs - this.#leaveAskedMs < leaveWithinMs) return this.#leave();
    this.#leaveAskedMs = nowMs;
    if (this.#session?.running === undefined) this.#tell("Ctrl-C again leaves");
    else {
      this.#tell("Stopping what runs; Ctrl-C again leaves");
      this.#stop();
    }
    return true;
  }

  #stop(): true {
    this.#session?.stop().catch((error: unknown) => this.#tellProblem(error));
    return true;
  }

  #leave(): true {
    this.#left.resolve();
    return true;
  }

  #suspend(): true {
    const stage = this.#stage;
    suspend({ leave: () => stage.stop(), enter: () => stage.start() });
    return true;
  }

  #takeBack(): true {
    const session = this.#session;
    const last = session?.queue.at(-1);
    if (session === undefined || last === undefined) return true;
    const taking = session.takeBack(last.turnId).then((text) => {
      if (text !== undefined) this.#writeAbove(this.#written.get(last.turnId) ?? text);
    });
    taking.catch((error: unknown) => this.#tellProblem(error));
    return true;
  }

  #showLastOutput(): true {
    const output = this.#writer.lastOutput;
    if (output === undefined) this.#tell("No tool has given anything yet");
    else this.#stage.print(wrappedBlock(harmless(output.trimEnd()).split("\n")));
    return true;
  }

  #searchHistory(): true {
    const choices = this.#history.newestFirst.map((text) => ({
      value: text,
      label: drawn(text).replaceAll("\n", " ⏎ "),
    }));
    void this.#foreground.choose("Sent before:", choices).then((text) => {
      if (text !== undefined) this.#write(text);
    });
    return true;
  }

  #write(text: string): void {
    this.#editor.setText(text);
    this.#stage.requestRender();
  }

  /** Puts a text in front of what is written. */
  #writeAbove(text: string): void {
    const written = this.#editor.getExpandedText();
    this.#write(written === "" ? text : `${text}\n${written}`);
  }

  #writeInEditor(): true {
    const stage = this.#stage;
    const before = undisguised(this.#editor.getExpandedText());
    const openEditor = async (path: string): Promise<void> => {
      stage.stop();
      try {
        await this.#options.openEditor(path);
      } finally {
        stage.start();
      }
    };
    writtenInEditor(before, openEditor).then(
      (text) => text !== before && this.#write(text),
      (error: unknown) => this.#tellProblem(error),
    );
    return true;
  }

  #attachClipboard(): true {
    clipboardImage(this.#options.env).then(
      (image) => {
        this.#editor.insertTextAtCursor(`${this.#attachments.addImage(image)} `);
        this.#stage.requestRender();
      },
      (error: unknown) => this.#tellProblem(error),
    );
    return true;
  }

  #enter(text: string): void {
    if (text.trim() === "") return;
    this.#history.add(text);
    this.#editor.addToHistory(text);
    this.#outbox.add(text);
    this.#stage.requestRender();
  }

  async #send(text: string): Promise<void> {
    const session = this.#session;
    if (session === undefined) return;
    const { readFiles } = this.#options;
    const turnId = await enterLine(text, this.#context(session), { attachments: this.#attachments, readFiles });
    if (turnId !== undefined) this.#written.set(turnId, text);
  }

  #context(session: ConversationSession): CommandContext {
    return {
      session,
      style: this.#style,
      highlighter: this.#highlighter,
      commands,
      print: (block) => this.#stage.print(block),
      tell: (text, level) => this.#tell(text, level),
      choose: this.#foreground.choose,
      write: (text) => this.#write(text),
      folderTrust: this.#options.folderTrust,
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
