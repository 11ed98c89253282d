import { writeExport } from "../conversations/export-file.ts";
import type { TurnBody } from "@incipit/schema";
import type { LineCommands } from "@incipit/terminal";
import type { TalkArguments } from "./talk-arguments.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import type { Connection } from "../registry/host-access.ts";
import { errorText } from "../output/error-text.ts";
import type { Output } from "../output/output.ts";
import { folderTrust } from "../trust/folder-trust.ts";
import type { AskPerson } from "../questions/ask-at-terminal.ts";

export interface ChatCommandsOptions {
  readonly args: TalkArguments;
  readonly askPerson: AskPerson;
  readonly output: Output;
}

export class ChatCommands {
  readonly #connection: Pick<Connection, "client" | "dataFolder">;
  readonly #options: ChatCommandsOptions;
  #commands: LineCommands | undefined;
  #signal = new AbortController().signal;
  #hasLeft = false;

  constructor(connection: Pick<Connection, "client" | "dataFolder">, options: ChatCommandsOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** A new conversation after the previous was left, or `undefined`. */
  async conversation(): Promise<string | undefined> {
    return this.#commands?.begun();
  }

  /** Returns the message of the last command, once. */
  takeMessage(): TurnBody["input"] {
    return this.#commands?.takeMessage();
  }

  async run(
    line: string,
    { conversationId, signal }: { readonly conversationId: string; readonly signal: AbortSignal },
  ): Promise<boolean> {
    // Pasted text of several lines that begins with "!" is a message.
    if (/^!\s*\S.*$/.test(line)) {
      const { output } = this.#options;
      output.errLine(
        "Shell commands (!) do not run in this mode. Nothing ran and nothing was sent; to send the line as a message, put a space in front of it",
      );
      return true;
    }
    if (!line.startsWith("/")) return false;
    this.#signal = signal;
    this.#commands ??= await this.#load(conversationId);
    const end = await this.#commands.run(line);
    this.#hasLeft = end === "leave";
    return end !== "not-mine";
  }

  close(): void {
    this.#commands?.close();
  }

  async #load(conversationId: string): Promise<LineCommands> {
    const { LineCommands } = await import("@incipit/terminal");
    const { args, askPerson, output } = this.#options;
    const { client, dataFolder } = this.#connection;
    return new LineCommands({
      client,
      cwd: workingFolder(args),
      conversationId,
      width: () => output.errWidth,
      print: (text) => output.err(`${text}\n`),
      ask: async (question) => {
        const said = await askPerson(question, { signal: this.#signal, takesText: true });
        return said.kind === "answer" ? said.text : undefined;
      },
      writeExport,
      folderTrust: async (folder) => folderTrust(folder, { dataFolder }),
      problemText: errorText,
    });
  }
}
