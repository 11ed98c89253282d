import type { RecordingModelServer } from "@incipit/testkit";

/** An invalid key with the length of a real one. */
export const vendorKey = "sk-ant-newcomer-0123456789abcdef0123456789abcdef";

/** The file that the custom prompt includes, in the working folder. */
export const notes = { name: "notes.md", text: "The parser is in src/parse.ts.\n" } as const;

interface PointedTo {
  readonly env: Readonly<Record<string, string>>;
  /** Contents by path, relative to the home. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The commands of a new user who has node and npm. */
export interface Newcomer {
  readonly name: string;
  /** Argument of `npm install -g`. */
  readonly packageName: string;
  /** The registry of the package; defaults to npm's. */
  readonly registry?: string;
  /**
   * Redirects the program to the recording server, by variables and files in its home. Not part of the user's
   * commands.
   */
  pointTo(model: RecordingModelServer): PointedTo;
  /** The first question to a model of Anthropic, with the key in the environment. */
  readonly question: readonly string[];
  /** Commands up to the first question whose system prompt includes the text of `notes`. */
  readonly ownPrompt: readonly (readonly string[])[];
}

export function originOf(model: RecordingModelServer): string {
  return new URL(model.urlOf("anthropic")).origin;
}
