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
    description:
      "Lists the tokens that were made and the browsers that are signed in, without their secrets, newest first.",
    answer: { tokens: [token] },
  },
  createToken: {
    description:
      "Makes a token with scopes and an end. Its secret is in this answer and nowhere else; a token that is made with another one can do no more, and ends no later.",
    body: { scopes: ["read", "records"], days: 30, name: "dashboard" },
    answer: {
      token: { ...token, lastUsedAt: null },
      secret: "incipit_AN-EXAMPLE-WHICH-NO-HOST-HAS-EVER-MADE",
    },
  },
  revokeToken: {
    description:
      "Ends a token at once, with those that were made with it and their open streams. It stays in the list as `revoked`.",
    answer: { token: { ...token, state: "revoked", revokedAt: "2026-11-23T14:05:00.000Z" } },
  },
  createTicket: {
    description:
      "Makes a ticket for the address of one conversation's event stream, for browsers, whose `EventSource` can send no token. It has to be used within a minute.",
    body: { conversationId: conversation.id },
    answer: {
      ticket: "incipit_ticket_AN-EXAMPLE-WHICH-NO-HOST-HAS-EVER-MADE",
      expiresAt: "2026-11-23T13:57:39.000Z",
    },
  },
} satisfies RouteExamples;
