import { callRoutes } from "./routes/call-routes.ts";
import { channelRoutes } from "./routes/channel-routes.ts";
import { chatRoutes } from "./routes/chat-routes.ts";
import { clientConversationRoutes } from "./routes/client-conversation-routes.ts";
import { conversationRoutes } from "./routes/conversation-routes.ts";
import { extensionRoutes } from "./routes/extension-routes.ts";
import { hostRoutes } from "./routes/host-routes.ts";
import { messageRoutes } from "./routes/message-routes.ts";
import { pageRoutes } from "./routes/page-routes.ts";
import { offeredServerRoutes } from "./routes/offered-server-routes.ts";
import { profileRoutes } from "./routes/profile-routes.ts";
import { promptRoutes } from "./routes/prompt-routes.ts";
import { recordRoutes } from "./routes/record-routes.ts";
import { fileChangeRoutes } from "./routes/file-change-routes.ts";
import { heartbeatRoutes } from "./routes/heartbeat-routes.ts";
import { responseRoutes } from "./routes/response-routes.ts";
import { scheduleRoutes } from "./routes/schedule-routes.ts";
import { skillRoutes } from "./routes/skill-routes.ts";
import { templateRoutes } from "./routes/template-routes.ts";
import { tokenRoutes } from "./routes/token-routes.ts";
import { unattendedRoutes } from "./routes/unattended-routes.ts";
import { turnRoutes } from "./routes/turn-routes.ts";
import type { Route } from "./routes/route.ts";

/** All routes of the HTTP API. Server, client and OpenAPI document derive from this table. */
export const routes = {
  ...hostRoutes,
  ...pageRoutes,
  ...templateRoutes,
  ...chatRoutes,
  ...messageRoutes,
  ...responseRoutes,
  ...clientConversationRoutes,
  ...callRoutes,
  ...conversationRoutes,
  ...turnRoutes,
  ...fileChangeRoutes,
  ...offeredServerRoutes,
  ...profileRoutes,
  ...skillRoutes,
  ...promptRoutes,
  ...recordRoutes,
  ...heartbeatRoutes,
  ...scheduleRoutes,
  ...unattendedRoutes,
  ...channelRoutes,
  ...extensionRoutes,
  ...tokenRoutes,
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;
