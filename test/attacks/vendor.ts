import type { Attack } from "./attacks.ts";

export const vendorAttacks = {
  "vendor-event-without-end": {
    tries: "a vendor sends one event of a stream that never ends, in short lines",
    seen: "the reply is broken off at 16 MiB of one event",
  },
  "vendor-wide-event": {
    tries: "a vendor sends one event of 15 MB that is made of millions of values, each of which is checked",
    seen: "the reply is broken off behind 200,000 of them, and holds nobody",
  },
  "vendor-refusal-without-end": {
    tries: "a vendor refuses with a stream of events that never ends, which is read as a whole",
    seen: "the refusal is broken off at 16 MiB",
  },
  "vendor-silent-parts": {
    tries: "a vendor opens parts of a reply without end, and says nothing in them",
    seen: "the reply is broken off behind 100,000 of them",
  },
  "vendor-whole-calls": {
    tries: "a vendor sends calls of tools whole, without end, which are kept until the reply is over",
    seen: "the reply is broken off at 8 MiB of arguments",
  },
  "vendor-usage": {
    tries:
      "a vendor says that a call took more tokens than a number holds once they are added up, fewer than none, or half a one",
    seen: "they count as not reported; the audit over all conversations goes on, and what is exported can be imported",
  },
  "vendor-line-ends": {
    tries:
      "a vendor sends a million empty lines of a stream, and one CR behind them, for which a reader looks at each line anew",
    seen: "lines have one kind of end before anybody reads them; the reply takes time as it is long",
  },
  "mcp-line-ends": {
    tries: "an MCP server answers with the same",
    seen: "the same",
  },
  "vendor-name-of-object": {
    tries:
      "a model calls a tool by a name that each object has, such as `constructor`, for which a vendor's package writes a function",
    seen: "the call is told as one of no tool, and the next requests are such as vendors take",
  },
  "vendor-half-pair": {
    tries:
      "a model spells half a surrogate pair in a call's arguments, which no vendor takes that gets them parsed",
    seen: "U+FFFD goes in its place, and the conversation goes on",
  },
  "mcp-refusal-without-end": {
    tries: "an MCP server refuses with a stream of events that never ends, which is read as a whole",
    seen: "the refusal is broken off at the limit of a message",
  },
  "collector-no-wait": {
    tries:
      "a collector of telemetry refuses, and asks for no wait, or for less than none, before it is asked again",
    seen: "it is asked a few times, as if it had said nothing",
  },
  "sign-in-of-another": {
    tries:
      "somebody has the host take a code of a sign-in that it did not begin, an old one, or one that was refused",
    seen: "nobody is signed in, and no code is sent on",
  },
  "sign-in-elsewhere": {
    tries: "an MCP server says that people sign in at an address that the operator did not name",
    seen: "nothing is sent there, and the error says what to write if one trusts it",
  },
  "sign-in-borrowed-issuer": {
    tries: "an MCP server names itself as the authorization server, with the issuer of the configured one",
    seen: "it does not get the refresh token of the configured one",
  },
  "sign-in-mixed-endpoints": {
    tries: "an MCP server sends the browser to the configured authorization server, and the code to itself",
    seen: "the sign-in is refused before the browser is opened",
  },
  "sign-in-wrong-callback": {
    tries:
      "a page sends the browser to the callback of a sign-in: without its state, with another one or two, with an error",
    seen: "it gets an error, the command goes on waiting, and the right callback signs the person in",
  },
  "sign-in-foreign-host": {
    tries: "an MCP server names a page of another host as the one at which people sign in",
    seen: "the other host is named before the address",
  },
  "sign-in-address-scheme": {
    tries:
      "an MCP server has people sign in, the host register or change a code at a file, a script, a program of the system or a user's name",
    seen: "the sign-in is refused, and no such address is shown or called",
  },
  "mcp-instructions": {
    tries:
      "an MCP server puts headings, template tags, control characters and what is not seen into what it says to models, to speak for the host, the operator or another server",
    seen: "each of its lines is marked as its own, tags are text, and what is not seen is left out",
  },
  "mcp-prompts": {
    tries:
      "an MCP server puts a command, template tags, arguments and the name of a resource into the message of a prompt, to have the host read or run something",
    seen: "the model gets the message as it is, and a file of that name counts before the prompt",
  },
  "mcp-resources": {
    tries:
      "a text names a resource as people do: an address of somebody, a package, or what another resource holds, to have a server read something",
    seen: "what names no configured server is text and asks none; what a resource holds is sent as it is",
  },
  "mcp-asks-back": {
    tries:
      "an MCP server asks for a reply of the model, for the person's words where nobody is, or for folders, also in the place of a result",
    seen: "nobody answers: what a person could be asked is cancelled, and the rest is no method, but for the working folder where the operator says so; the next call runs",
  },
  "mcp-question-text": {
    tries:
      "an MCP server's question, in its words, titles and choices, has characters that steer a screen, turn a direction or are not seen",
    seen: "they are escaped in what is shown; a name or a value of an answer that has them is refused",
  },
} as const satisfies Record<string, Attack>;
