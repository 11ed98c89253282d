/** Tests cite the ids in brackets; `promises.test.ts` fails for a promise without a test. */
export const promises = {
  "sent-is-shown": {
    sentence:
      "Preview, explain and the provider request come from one code path; the exact body of every model call can be read back.",
    source: "docs/architecture.md#promises",
  },
  "resolved-once": {
    sentence: "A conversation's prompt is constructed on its first turn and reused byte for byte until compaction.",
    source: "docs/architecture.md#promises",
  },
  "byte-prefix": {
    sentence: "Request N of a conversation is a byte prefix of request N+1.",
    source: "docs/architecture.md#promises",
  },
  "never-lost": {
    sentence:
      "What was acknowledged survives SIGKILL and a loss of power; a turn that was cut off is interrupted, and the conversation goes on.",
    source: "docs/architecture.md#promises",
  },
  "never-half": {
    sentence: "A failed compaction leaves history and prompt exactly as they were.",
    source: "docs/architecture.md#promises",
  },
  "set-aside": {
    sentence: "Stored data that cannot be read is set aside and reported, never replaced by an empty value.",
    source: "docs/architecture.md#promises",
  },
  "page-sign-in": {
    sentence:
      "A browser is let in by a link that works once; the token is in no address, and other pages get nothing.",
    source: "docs/guide/page.md#sign-in",
  },
  "page-host": {
    sentence:
      "The page shows what the host is made of and what is wrong with it, and asks before it grants anything.",
    source: "docs/guide/page.md#the-host",
  },
  "page-setup": {
    sentence:
      "The page shows the configuration in force, trusted folders, MCP servers and the graph; it stores and trusts nothing of them.",
    source: "docs/guide/page.md#the-host",
  },
  "page-policy": {
    sentence: "The page asks for nothing from elsewhere, and runs nothing that is not a file of the host.",
    source: "docs/guide/page.md#what-it-asks-for",
  },
  "page-harmless": {
    sentence: "On the page, what models, tools and people say is text, whatever it looks like.",
    source: "docs/guide/page.md#what-it-asks-for",
  },
  "page-conversation": {
    sentence: "A conversation on the page is whole after a reload, a lost network and a restart of the host.",
    source: "docs/guide/page.md#conversations",
  },
  "page-long": {
    sentence:
      "A conversation of any length is read on the page without a wait, and what somebody reads stays where it is.",
    source: "docs/guide/page.md#conversations",
  },
  "page-list": {
    sentence:
      "The list says what is new, and of how many it speaks; what is deleted there can be undone until it is erased.",
    source: "docs/guide/page.md#conversations",
  },
  "page-commands": {
    sentence:
      "Everything on the page is done by name with the keyboard, and no key does anything while somebody types.",
    source: "docs/guide/page.md#for-everybody",
  },
  "page-prompt": {
    sentence:
      "On the page a template is written with buttons and completion, and its preview is what the model is then told.",
    source: "docs/guide/page.md#the-system-prompt",
  },
  "page-prompt-kept": {
    sentence: "What somebody wrote for a template and has not stored is lost by no reload and by no other tab.",
    source: "docs/guide/page.md#the-system-prompt",
  },
  "page-told": {
    sentence:
      "The page shows what a model was told byte for byte, what fills its context, and what broke a cache's prefix.",
    source: "docs/guide/page.md#request-inspector",
  },
  "page-compare": {
    sentence: "On the page any two versions of the template and prompts of conversations stand side by side.",
    source: "docs/guide/page.md#two-prompts-side-by-side",
  },
  "page-costs": {
    sentence:
      "The page adds up what calls cost by day, model and conversation, and says what is missing from a sum of money.",
    source: "docs/guide/page.md#costs",
  },
  "page-schedules": {
    sentence: "The page shows what the host does without a person and what came of it, and steers it.",
    source: "docs/guide/page.md#schedules",
  },
  "page-channels": {
    sentence:
      "The page shows who may talk on a channel and what was sent, lets people in, and sends again what nobody knows of.",
    source: "docs/guide/page.md#channels",
  },
  "page-calls": {
    sentence: "A call without a conversation is shown as it was sent, with what fills its context.",
    source: "docs/guide/page.md#calls-without-a-conversation",
  },
  "page-drift": {
    sentence: "The page says when a conversation's prompt would differ now, and rebuilds it when somebody agrees.",
    source: "docs/guide/page.md#when-the-prompt-would-differ-now",
  },
  "configuration-shown": {
    sentence:
      "Each key of the configuration in force is shown with where it was written, and each trusted folder with what it asks for; no secret is.",
    source: "docs/guide/configuration.md#what-is-in-force",
  },
  "tool-servers-shown": {
    sentence:
      "Servers of tools are shown with their tools, their state and what is wrong; to look at them starts none.",
    source: "docs/guide/mcp.md#when-servers-start-and-when-they-do-not",
  },
  "server-prompts": {
    sentence:
      "The prompts of MCP servers are commands: sent with their arguments, as the server makes them; a server that fails costs its own alone.",
    source: "docs/guide/mcp.md#prompts-as-commands",
  },
  "server-resources": {
    sentence:
      "A resource of an MCP server that a person names in a message is read and stands in front of it; if it cannot be read, nothing is sent.",
    source: "docs/guide/mcp.md#resources-in-a-message",
  },
  "passed-servers": {
    sentence:
      "Tools of servers that an editor passes are in that session and nowhere else, for as long as it has it open; what they are started with is nowhere shown or kept.",
    source: "docs/guide/editors.md#servers-of-tools",
  },
  "page-layout": {
    sentence: "The page fits narrow and wide windows, text of twice the size, and text from right to left.",
    source: "docs/guide/page.md#for-everybody",
  },
  "page-docs": {
    sentence:
      "The page at `/docs` shows every route, event and error of the API without a sign-in, and asks for nothing from elsewhere.",
    source: "docs/guide/page.md#the-http-api",
  },
  "page-accessible": {
    sentence:
      "Every view of the page meets WCAG 2.2 AA as far as a program can tell, light and dark, narrow and wide.",
    source: "docs/guide/page.md#for-everybody",
  },
  frontends: {
    sentence:
      "Pages of origins that are named use the API with a token; all others, and the cookie from there, get nothing.",
    source: "docs/guide/frontends.md",
  },
  "token-scopes": {
    sentence:
      "A token does what its scopes say until it ends or is revoked, and nothing else; reading changes nothing.",
    source: "docs/guide/frontends.md#tokens",
  },
  "client-resumes": {
    sentence:
      "What is sent with `@incipit/client` arrives once, and its events come once each, over restarts of the host and cut connections.",
    source: "docs/guide/frontends.md#in-typescript",
  },
  "template-never-fails": {
    sentence:
      "Any text is a template; it renders in linear time, without recursion, and values are never scanned again.",
    source: "docs/architecture.md#promises",
  },
  "granted-and-no-more": {
    sentence:
      "An extension has what it was granted; a refusal names the capability, what was asked and what was declared.",
    source: "docs/architecture.md#promises",
  },
  "swap-loses-nothing": {
    sentence: "A new version that fails to start leaves the old one serving; calls in flight finish.",
    source: "docs/architecture.md#promises",
  },
  "closed-by-default": {
    sentence:
      "Loopback only, a token on every route, browser origins checked; no secret in a log, an error or a record.",
    source: "docs/architecture.md#promises",
  },
  "one-terminal-event": {
    sentence: "Every stream ends in exactly one terminal event, and every wait has a deadline.",
    source: "docs/architecture.md#promises",
  },
} as const satisfies Record<string, { readonly sentence: string; readonly source: string }>;
