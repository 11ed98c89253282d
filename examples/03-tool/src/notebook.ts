import type { JsonValue, Storage } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";

const noteSchema = z.strictObject({
  title: z.string().min(1).max(100).describe("What it is about; a note of the same title is replaced"),
  text: z.string().describe("What to keep"),
});
const nothingSchema = z.strictObject({});
const textSchema = z.string();

/** Stores a note for later conversations. */
export function createWriteNote(notes: Storage): Tool {
  return {
    name: "write_note",
    description: "Keeps a note that later conversations can read.",
    inputSchema: jsonSchemaOf(noteSchema),
    async execute(input, { signal }) {
      const { title, text } = noteSchema.parse(input); // The model sees a thrown error and can correct its input.
      signal.throwIfAborted();
      await notes.set(title, text);
      return `Kept "${title}"`;
    },
  };
}

/** Returns the stored notes, by title. */
export function createReadNotes(notes: Storage): Tool {
  return {
    name: "read_notes",
    isReadOnly: true, // Read-only tools run without approval.
    description: "Gives all notes, each with its title.",
    inputSchema: jsonSchemaOf(nothingSchema),
    async execute(input, { signal }) {
      nothingSchema.parse(input);
      signal.throwIfAborted();
      const kept = await notes.list({ limit: 1_000 }, textSchema);
      if (kept.length === 0) return "There are no notes";
      return kept.map(({ key, value }) => `${key}: ${value}`).join("\n");
    },
  };
}

/** The schema for the model is generated from the one that validates. */
function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, JsonValue>> {
  return z.record(z.string(), z.json()).parse(z.toJSONSchema(schema));
}
