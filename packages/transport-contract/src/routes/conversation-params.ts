import { conversationIdSchema, lazySchema } from "@incipit/schema";
import * as z from "zod";

/** The parameters of a path that names a conversation, and nothing else. */
export const conversationParamsSchema = lazySchema(() => z.object({ id: conversationIdSchema }));
