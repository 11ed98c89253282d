import type { Attack } from "./attacks.ts";

export const tokensAttacks = {
  "tokens-read-changes": {
    tries: "a program that may only read tries every route that there is, also those that come later",
    seen: "it is refused wherever something could change, and nothing that is kept has changed",
  },
  "tokens-grant-more": {
    tries: "a program with a token makes another one that may do more or lives longer, or a link that signs in",
    seen: "it is refused; what it has itself, it may pass on",
  },
  "tokens-plant-schedule": {
    tries:
      "a program that may do all but `admin` makes a schedule, or changes or runs one, to act after its token has ended",
    seen: "it is refused on each route, and no schedule is there or other than before",
  },
  "tokens-write-agent": {
    tries:
      "a program that may do all but `admin` writes an agent, changes one, or takes it away, so that later conversations have other words and tools",
    seen: "it is refused on each route, and the agents are what they were",
  },
  "tokens-allow-in-folder": {
    tries:
      "a program with a token that may answer approvals answers one for all later conversations of the folder, so that calls run after its token has ended",
    seen: "it is refused, and nothing is allowed; it may answer for the conversation",
  },
  "tokens-after-end": {
    tries: "a program goes on with a token that has ended or was revoked, also in streams that are open",
    seen: "its streams end, and it is told when the token ended, and nothing else",
  },
  "tokens-outlive-own": {
    tries:
      "whoever knew the host's own token has made others with it, and goes on with them when the host gets a new one",
    seen: "they are all revoked",
  },
  "tokens-under-way": {
    tries: "a program begins requests with its token, and sends the rest of them once the token was revoked",
    seen: "nothing of them is done or answered, and no token is made with the one that is over",
  },
  "tokens-start-server": {
    tries: "a program whose token may do everything offers a conversation an MCP server, to have a program started",
    seen: "it is refused, and nothing has started: that is for the host's own token",
  },
  "tokens-lost-revocation": {
    tries: "a token is revoked while the disk is full, once more when there is room, and the host is killed",
    seen: "the host says that the first time does not last; after the second the token stays revoked",
  },
  "tokens-fill-list": {
    tries: "a program with the scope admin makes as many tokens as there can be, and is revoked",
    seen: "the next token is made: those that are over make room",
  },
  "browser-copied-cookie": {
    tries:
      "somebody has copied the cookie of a browser that is signed in, and goes on with it after that has signed out",
    seen: "nobody is signed in with it any more: its streams and tickets end, and it stays so after a restart",
  },
  "browser-cookie-other-port": {
    tries:
      "a program of another user has a page on another port of this machine, which browsers send the host's cookie to",
    seen: "with the cookie alone nobody is signed in: what belongs to it is known to pages of the host's own port",
  },
  "browser-cached-answers": {
    tries: "whoever uses a browser next asks its cache for what somebody was shown who has signed out",
    seen: "no answer of the host is there",
  },
  "tokens-replayed-record": {
    tries: "a program that may only converse has a recorded call repeated, whose answer shows what was recorded",
    seen: "it needs the scope for records, too",
  },
  "tokens-others-response": {
    tries:
      "a program with a token reads, follows, cancels, deletes or goes on from a response that another token has in the background",
    seen: "404 each time, as for one that there is not, and the response goes on",
  },
  "tokens-others-conversation": {
    tries:
      "a program with a token reads, changes, adds to, asks in or deletes a conversation that another token has made with `POST /v1/conversations`",
    seen: "404 each time, as for one that there is not, and no model is asked",
  },
  "tokens-response-after-end": {
    tries: "a program leaves a response running in the background, and its token is revoked",
    seen: "the model is stopped, and the stream of it ends",
  },
  "tokens-file-read": {
    tries: "somebody copies the file that keeps the tokens, such as from a backup",
    seen: "it has hashes of random texts: no token can be made of them, and only its owner can read it",
  },
  "tickets-elsewhere": {
    tries: "somebody has seen the address of an event stream with its ticket, and asks for everything else with it",
    seen: "it opens that one stream and nothing else",
  },
  "tickets-after-end": {
    tries: "a page goes on with a ticket whose token was revoked, also in a stream that is open",
    seen: "the stream ends, and the ticket opens no other one",
  },
  "tickets-in-log": {
    tries: "the ticket in an address is looked for in the log, in errors and in files",
    seen: "it is in none of them; the log has the path and whose token it was",
  },
  "tokens-in-log": {
    tries: "a token is looked for in the log",
    seen: "its name and its id, with what was asked for, and never its value",
  },
} as const satisfies Record<string, Attack>;
