import { conversationIdSchema, lazySchema } from "@incipit/schema";
import * as z from "zod";

export const conversationParamsSchema = lazySchema(() => z.object({ id: conversationIdSchema }));
