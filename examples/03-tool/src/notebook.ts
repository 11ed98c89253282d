import type { JsonValue, Storage } from "@incipit/kernel";
import type { Tool } from "@incipit/service-contract";
import * as z from "zod";

const noteSchema = z.strictObject({
  title: z.string().min(1).max(100).describe("What it is about; a note of the same title is replaced"),
  text: z.string().describe("What to keep"),
});
const nothingSchema = z.strictObject({});
const textSchema = z.string();

/** Keeps a note for later conversations. */
export function createWriteNote(notes: Storage): Tool {
  return {
    name: "write_note",
    description: "Keeps a note that later conversations can read.",
    inputSchema: jsonSchemaOf(noteSchema),
    async execute(input, { signal }) {
      const { title, text } = noteSchema.parse(input); // What it throws is what the model reads, and can mend.
      signal.throwIfAborted();
      await notes.set(title, text);
      return `Kept "${title}"`;
    },
  };
}

/** Gives the notes that were kept, in the order of their titles. */
export function createReadNotes(notes: Storage): Tool {
  return {
    name: "read_notes",
    isReadOnly: true, // Runs without a question; what writes is asked about.
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

/** What the model is told is made from what is checked. */
function jsonSchemaOf(schema: z.ZodType): Readonly<Record<string, JsonValue>> {
  return z.record(z.string(), z.json()).parse(z.toJSONSchema(schema));
}
