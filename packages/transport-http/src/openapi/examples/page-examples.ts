import type { RouteExamples } from "./route-example.ts";

export const pageExamples = {
  signIn: {
    body: { code: "q1bO6w9WcUqJm0eJ7cSg3w" },
    answer: { expiresAt: "2026-12-23T13:56:36.900Z", key: "AN-EXAMPLE-WHICH-NO-HOST-HAS-EVER-MADE" },
  },
  signOut: {
    answer: { signedOut: true },
  },
  createSignInLink: {
    answer: { url: "http://127.0.0.1:4140/#code=q1bO6w9WcUqJm0eJ7cSg3w", expiresAt: "2026-11-23T14:11:36.900Z" },
  },
} satisfies RouteExamples;
