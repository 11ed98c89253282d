import type { accessTokenSchema } from "@incipit/schema";
import type * as z from "zod";
import type { RouteExamples } from "./route-example.ts";
import { conversation } from "./shared-values.ts";

const token: z.input<typeof accessTokenSchema> = {
  id: "01a208b1-c9d2-7f43-9a5e-6b1f0c7d8e21",
  kind: "token",
  name: "dashboard",
  scopes: ["read", "records"],
  state: "active",
  createdAt: "2026-11-23T13:56:39.000Z",
  createdBy: null,
  endsAt: "2026-12-23T13:56:39.000Z",
  revokedAt: null,
  lastUsedAt: "2026-11-23T14:02:11.318Z",
};

export const tokenExamples = {
  listTokens: {
    answer: { tokens: [token] },
  },
  createToken: {
    body: { scopes: ["read", "records"], days: 30, name: "dashboard" },
    answer: {
      token: { ...token, lastUsedAt: null },
      secret: "incipit_AN-EXAMPLE-WHICH-NO-HOST-HAS-EVER-MADE",
    },
  },
  revokeToken: {
    answer: { token: { ...token, state: "revoked", revokedAt: "2026-11-23T14:05:00.000Z" } },
  },
  createTicket: {
    body: { conversationId: conversation.id },
    answer: {
      ticket: "incipit_ticket_AN-EXAMPLE-WHICH-NO-HOST-HAS-EVER-MADE",
      expiresAt: "2026-11-23T13:57:39.000Z",
    },
  },
} satisfies RouteExamples;
