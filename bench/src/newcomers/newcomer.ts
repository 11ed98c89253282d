import type { RecordingModelServer } from "@incipit/testkit";

/** An invalid key, as long as a real one. */
export const vendorKey = "sk-ant-newcomer-0123456789abcdef0123456789abcdef";

export const notes = { name: "notes.md", text: "The parser is in src/parse.ts.\n" } as const;

interface PointedTo {
  readonly env: Readonly<Record<string, string>>;
  /** Content by path, relative to the home folder. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Newcomer {
  readonly name: string;
  readonly packageName: string;
  /** Package registry; defaults to npm's. */
  readonly registry?: string;
  /** Returns the variables and files that redirect the program to the recording server; users need none of them. */
  pointTo(model: RecordingModelServer): PointedTo;
  /** Command that asks a vendor's model; the vendor's key is in its environment. */
  readonly question: readonly string[];
  /** Commands until a model has received the text of `notes` in the user's own prompt. */
  readonly ownPrompt: readonly (readonly string[])[];
}

export function originOf(model: RecordingModelServer): string {
  return new URL(model.urlOf("anthropic")).origin;
}
