import type { Attack } from "./attacks.ts";

export const secretsAttacks = {
  "secrets-other-spellings": {
    tries:
      "a provider's key stands in a conversation in Base64, as user:key, in hexadecimal, in URLs and JSON in each other",
    seen: "none of it is in the record of the request, nor in its export",
  },
  "secrets-common-key": {
    tries: "a key is an ordinary word, such as ollama",
    seen: "records keep the word, and the start says that the key is no secret",
  },
  "secrets-encoded-backslash": {
    tries:
      "a key has a backslash in front of a letter, and JSON, escapes, URLs, forms or HTML encode it, also one in another",
    seen: "it is found in each pair of encodings, and in each chain of three",
  },
  "secrets-basic-pair": {
    tries: "a key is the password of Basic, or behind Bearer, in Base64, with a name of any length in front of it",
    seen: "it is found at each of the three places that it can have",
  },
  "secrets-value-parts": {
    tries:
      "a variable holds Bearer KEY, Basic PAIR, user:PASSWORD or a URL with a password, and the part stands alone",
    seen: "the part is left out as the whole is",
  },
  "secrets-across-requests": {
    tries: "a request ends in the middle of a key, in any form of it, and the next one goes on with the rest",
    seen: "the record of the second one has none of it",
  },
  "secrets-in-tool-server-output": {
    tries: "a tool server prints, answers or fails with the key that it was given, as it is or in a URL",
    seen: "what is logged, shown and told to a model has it left out",
  },
  "secrets-of-a-sign-in": {
    tries: "somebody signs in to a tool server, which then lets its tokens run out and fails",
    seen: "no token is in what is listed, answered or logged",
  },
  "secrets-in-log": {
    tries: "an extension logs a key with a quote and a backslash in it, in JSON, a URL, Base64 or hexadecimal",
    seen: "no form of it is in a line of the log",
  },
  "secrets-in-thrown-error": {
    tries: "a provider throws an error that quotes its key, and another one with the key in Base64",
    seen: "the turn's end, the step and all that is stored of it say what failed, without the key",
  },
  "secrets-in-start-failure": {
    tries: "the host does not start, and an extension's error quotes a key, as it is or in Base64",
    seen: "what is said in the terminal names the failure without the key",
  },
  "secrets-url-parts": {
    tries:
      "a variable, also of a proxy, holds a URL with a token for its user, or a key in its query, and that part stands alone",
    seen: "the part is left out, and such a variable of a proxy is kept as one that holds a secret",
  },
  "secrets-cut-off": {
    tries: "an error quotes a key where it is cut off for its length, as it is, in Base64 or in hexadecimal",
    seen: "what is left of the key is left out, too",
  },
  "secrets-in-telemetry": {
    tries:
      "what is told to a collector has a key in it, in the text of an error or, with content, in what was said",
    seen: "the key is left out of all of it",
  },
  "secrets-pattern-in-arguments": {
    tries:
      "arguments of a tool are JSON in JSON, and the operator's pattern is bound to the beginning and the end of a value",
    seen: "the value is left out, whether or not there is a backslash in it",
  },
  "secrets-granted-variable": {
    tries:
      "an extension that was granted a variable logs its value, fails with it (which /health tells), and adds it to prompts",
    seen: "the value is left out of log, health, lists and records from when it is granted",
  },
  "secrets-in-address": {
    tries: "a key stands in the path of a configured address, and a vendor's error quotes the address",
    seen: "it is left out of records and errors; names of models and versions in the path stay",
  },
  "secrets-in-names": {
    tries: "a key is the name of a property in what is told of a tool",
    seen: "names are looked through as values are, and two stay two",
  },
  "secrets-dropped-beginning": {
    tries: "a beginning of a vendor's keys is dropped from the list, or added without being tried",
    seen: "each beginning of the list has a key that is found by it, and no other",
  },
} as const satisfies Record<string, Attack>;
