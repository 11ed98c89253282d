import { givenNameSchema } from "@incipit/schema";
import { storedConversationSchema } from "../store/stored.ts";

/** As a person could have given it. */
const nameSchema = givenNameSchema.min(1);

/** A conversation as an export has it; whether its folder can be one is for `cwdProblem` to say. */
export const archivedConversationSchema = storedConversationSchema
  .omit({ importedAt: true, parent: true, deletedAt: true })
  .extend({
    // Capital letters mean the same, and make another key of it, which the pages of a list cannot go on behind.
    id: storedConversationSchema.shape.id.refine((id) => id === id.toLowerCase(), "must be in small letters"),
    model: nameSchema,
    profile: nameSchema.nullable(),
    title: nameSchema.nullable(),
  });
