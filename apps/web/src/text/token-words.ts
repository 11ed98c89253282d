import type { TokenScope } from "@incipit/schema";

/** What the page says of tokens. */
export const tokenWords = {
  title: "Tokens",
  intro:
    "A program, or a page of your own, uses the host with a token. Give each its own: it can do what you choose, and ends.",
  none: "There are none yet. The host's own token, which can do everything, is what “incipit token” prints.",
  unnamed: "Without a name",
  scopes: "May",
  ends: "Ends",
  ended: "Ended",
  revoked: "Revoked",
  made: "Made",
  madeBy: (name: string) => `with “${name}”`,
  used: "Last used",
  never: "never",
  over: (count: number) => (count === 1 ? "1 that is over" : `${count} that are over`),
  revoke: "Revoke…",
  revokeTitle: (name: string) => `Revoke “${name}”?`,
  revokeText:
    "Whoever uses it gets nothing more from now on, and streams that they read end. So do tokens that were made with it.",
  revokeAgree: "Revoke it",
  wasRevoked: (name: string) => `“${name}” is revoked.`,
  browser: {
    title: "Browsers that are signed in",
    may: "everything, as this page",
    since: "Signed in",
    revoke: "Sign out…",
    revokeTitle: (name: string) => `Sign out “${name}”?`,
    revokeText:
      "That browser sees and does nothing more from now on. If it is this one, you need a new link to come back.",
    revokeAgree: "Sign it out",
    wasRevoked: (name: string) => `“${name}” is signed out.`,
  },
  new: {
    title: "Make a token",
    name: "What it is for",
    nameHint: "such as “dashboard”",
    may: "It may",
    days: "Days until it ends",
    make: "Make the token",
    noScope: "Choose at least one thing that it may do.",
  },
  may: {
    read: "see conversations, prompts, models and extensions; change nothing",
    converse: "talk to models, answer approvals, change and delete conversations",
    prompt: "change the system prompt, and preview it in any folder",
    records: "see exact requests and costs, and export conversations",
    admin: "bring in extensions, make tokens and schedules: that amounts to everything",
  } satisfies Record<TokenScope, string>,
  secret: {
    title: (name: string) => `“${name}” is made`,
    once: "This is the token. It is shown this once: copy it to where it is used.",
    label: "The token",
    use: "A program sends it with each request, such as:",
    line: (origin: string) => `curl --header "Authorization: Bearer $TOKEN" ${origin}/conversations`,
    api: "What else it can ask: the HTTP API",
    done: "I have it",
  },
};
