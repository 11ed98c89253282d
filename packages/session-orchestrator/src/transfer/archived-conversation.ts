import { clientNameSchema } from "@incipit/schema";
import { storedConversationSchema } from "../store/stored.ts";

/** A valid user-supplied name. */
const nameSchema = clientNameSchema.min(1);

/** The conversation in an export; its folder is validated by `cwdProblem`. */
export const archivedConversationSchema = storedConversationSchema
  .omit({ importedAt: true, parent: true, deletedAt: true })
  .extend({
    // Upper case would be an equivalent id with a different key, which breaks paging.
    id: storedConversationSchema.shape.id.refine((id) => id === id.toLowerCase(), "must be in small letters"),
    model: nameSchema,
    profile: nameSchema.nullable(),
    title: nameSchema.nullable(),
  });
