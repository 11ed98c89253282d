import { lazySchema, offeredToolServersSchema } from "@incipit/schema";
import * as z from "zod";
import { conversationParamsSchema } from "./conversation-params.ts";
import { toolServerSchema } from "./host-routes.ts";
import type { Route } from "./route.ts";

const offerBodySchema = lazySchema(() => z.strictObject({ servers: offeredToolServersSchema }));

const offeredServersSchema = lazySchema(() => z.object({ servers: z.array(toolServerSchema) }));

/** State of offered servers, as events of a stream. */
const offerEventSchema = lazySchema(() =>
  z.object({
    type: z.literal("tool-servers"),
    servers: z.array(toolServerSchema),
  }),
);
export type OfferEvent = z.infer<typeof offerEventSchema>;

/** Routes of MCP servers that a client supplies for one conversation. */
export const offeredServerRoutes = {
  offerToolServers: {
    method: "POST",
    path: "/conversations/:id/tool-servers",
    params: conversationParamsSchema,
    access: "owner",
    summary: "Start servers of tools (MCP) for this conversation, which run until the client leaves",
    status: 200,
    body: offerBodySchema,
    response: offerEventSchema,
    isStream: true,
  },
  listOfferedToolServers: {
    method: "GET",
    path: "/conversations/:id/tool-servers",
    params: conversationParamsSchema,
    access: "read",
    summary: "The servers of tools that clients offer to this conversation at this moment, and how they are",
    status: 200,
    response: offeredServersSchema,
  },
} as const satisfies Record<string, Route>;
