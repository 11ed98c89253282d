import { clientNameSchema } from "@incipit/schema";
import { storedConversationSchema } from "../store/stored.ts";

const nameSchema = clientNameSchema.min(1);

export const archivedConversationSchema = storedConversationSchema
  .omit({ importedAt: true, parent: true, deletedAt: true })
  .extend({
    // Upper case would be an equivalent id with a different key, which breaks paging.
    id: storedConversationSchema.shape.id.refine((id) => id === id.toLowerCase(), "must be in small letters"),
    model: nameSchema,
    profile: nameSchema.nullable(),
    title: nameSchema.nullable(),
  });
