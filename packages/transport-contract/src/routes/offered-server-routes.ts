import { lazySchema, offeredToolServersSchema } from "@incipit/schema";
import * as z from "zod";
import { conversationParamsSchema } from "./conversation-params.ts";
import { toolServerSchema } from "./host-routes.ts";
import type { Route } from "./route.ts";

/** State of offered servers, as events of a stream. */
const offerEventSchema = lazySchema(() =>
  z.object({
    type: z.literal("tool-servers"),
    /** Offered servers; in an event, their current state. */
    servers: z.array(toolServerSchema),
  }),
);
export type OfferEvent = z.infer<typeof offerEventSchema>;

/** Routes of MCP servers that a client supplies for one conversation. */
export const offeredServerRoutes = {
  /**
   * Starts MCP servers whose tools are available only to this conversation, as an editor does for its session. The
   * first event has their current state, later ones have changes. The servers run until the client disconnects;
   * then calls of their tools fail. The tools are available from the next epoch on. Requires the host's own token,
   * because it starts any program.
   */
  offerToolServers: {
    method: "POST",
    path: "/conversations/:id/tool-servers",
    params: conversationParamsSchema,
    access: "owner",
    summary: "Start MCP servers for this conversation; they run until the client disconnects",
    body: lazySchema(() => z.strictObject({ servers: offeredToolServersSchema })),
    response: offerEventSchema,
    isStream: true,
  },
  /**
   * Lists the MCP servers that clients currently offer to this conversation, with their tools. Arguments, variables
   * and headers are not returned.
   */
  listOfferedToolServers: {
    method: "GET",
    path: "/conversations/:id/tool-servers",
    params: conversationParamsSchema,
    access: "read",
    summary: "The MCP servers that connected clients offer to this conversation, with states",
    response: lazySchema(() =>
      z.object({
        /** Offered servers by name. */
        servers: z.array(toolServerSchema),
      }),
    ),
  },
} as const satisfies Record<string, Route>;
