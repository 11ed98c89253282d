import type { RouteExamples } from "./route-example.ts";

export const pageExamples = {
  signIn: {
    description:
      "Exchanges the one-time code of a sign-in link for a cookie and a key. Requests of the page need both; the code is used up.",
    body: { code: "q1bO6w9WcUqJm0eJ7cSg3w" },
    answer: { expiresAt: "2026-12-23T13:56:36.900Z", key: "AN-EXAMPLE-WHICH-NO-HOST-HAS-EVER-MADE" },
  },
  signOut: {
    description: "Ends the sign-in of the browser that asks: its cookie and key are good for nothing from here on.",
    answer: { signedOut: true },
  },
  createSignInLink: {
    description:
      "Makes a link that signs in the one browser that opens it first. It is good for a quarter of an hour; its code stands in the fragment, which no server's log has.",
    answer: { url: "http://127.0.0.1:4140/#code=q1bO6w9WcUqJm0eJ7cSg3w", expiresAt: "2026-11-23T14:11:36.900Z" },
  },
} satisfies RouteExamples;
