import type { RecordingModelServer } from "@incipit/testkit";

/** Invalid, but as long as a real key. */
export const vendorKey = "sk-ant-newcomer-0123456789abcdef0123456789abcdef";

export const notes = { name: "notes.md", text: "The parser is in src/parse.ts.\n" } as const;

interface PointedTo {
  readonly env: Readonly<Record<string, string>>;
  /** By path, relative to the home. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Newcomer {
  readonly name: string;
  readonly packageName: string;
  /** Defaults to npm's. */
  readonly registry?: string;
  /** Not part of the user's commands. */
  pointTo(model: RecordingModelServer): PointedTo;
  /** The key is in the environment. */
  readonly question: readonly string[];
  /** The first question whose prompt includes the text of `notes`. */
  readonly ownPrompt: readonly (readonly string[])[];
}

export function originOf(model: RecordingModelServer): string {
  return new URL(model.urlOf("anthropic")).origin;
}
