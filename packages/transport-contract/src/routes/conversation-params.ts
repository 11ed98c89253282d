import { conversationIdSchema, lazySchema } from "@incipit/schema";
import * as z from "zod";

/** Path parameters of routes with only a conversation id. */
export const conversationParamsSchema = lazySchema(() => z.object({ id: conversationIdSchema }));
