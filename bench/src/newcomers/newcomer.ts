import type { RecordingModelServer } from "@incipit/testkit";

/** The key is of no use, and as long as a real one. */
export const vendorKey = "sk-ant-newcomer-0123456789abcdef0123456789abcdef";

/** The file that the newcomer's own prompt tells the model of, in the folder that they work in. */
export const notes = { name: "notes.md", text: "The parser is in src/parse.ts.\n" } as const;

interface PointedTo {
  readonly env: Readonly<Record<string, string>>;
  /** Their texts, by their paths from the home on. */
  readonly files?: Readonly<Record<string, string>>;
}

/** What somebody types who has node and npm, and has never had this program. */
export interface Newcomer {
  /** As it is called, with its version. */
  readonly name: string;
  /** What `npm install -g` is given. */
  readonly packageName: string;
  /** The registry that has it; absent: npm's own. */
  readonly registry?: string;
  /** Has the program ask the recording server in place of the vendor, by variables and files in its home; nobody types that. */
  pointTo(model: RecordingModelServer): PointedTo;
  /** The first question, to a model of Anthropic's, with the key in the environment. */
  readonly question: readonly string[];
  /** Up to the first question whose system prompt holds the text of `notes`. */
  readonly ownPrompt: readonly (readonly string[])[];
}

export function originOf(model: RecordingModelServer): string {
  return new URL(model.urlOf("anthropic")).origin;
}
