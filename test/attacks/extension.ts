import type { Attack } from "../attacks.ts";

/** An extension that asks for nothing, or for little. */
export const extensionAttacks = {
  "extension-core-id-swap": {
    tries: "a folder with the id of a core extension is swapped into its place, and reads its settings",
    seen: "ID_RESERVED; the core extension goes on, and nobody else has its settings",
  },
  "extension-core-id-restore": {
    tries: "extensions.paths, or extensions.json, names a folder with the id of a core extension",
    seen: "it is listed as failed with ID_RESERVED, and can be removed; the core extension runs",
  },
  "extension-core-id-add": {
    tries: "a folder takes the id of a disabled core extension, or the name that the host signs its log with",
    seen: "ID_RESERVED",
  },
  "extension-runs-tools": {
    tries: "an extension that nobody asked about calls the shell tool, which it finds by reading tools@1",
    seen: "it is asked about in words first; where the operator leaves it out, CAPABILITY_DENIED",
  },
  "extension-calls-models": {
    tries: "an extension that nobody asked about calls a configured provider, with its key",
    seen: "it is asked about first",
  },
  "extension-reads-conversations": {
    tries: "an extension that nobody asked about sends a turn, and reads the conversations",
    seen: "it is asked about first",
  },
  "extension-sees-prompts": {
    tries: "an extension that nobody asked about uses a service that shows what models are told",
    seen: "it is asked about first",
  },
  "extension-adds-to-prompts": {
    tries: "an extension that nobody asked about adds a segment to every prompt",
    seen: "it is asked about first",
  },
  "extension-answers-for-models": {
    tries: "an extension that nobody asked about adds a provider",
    seen: "it is asked about first",
  },
  "extension-observes-work": {
    tries: "an extension that nobody asked about has itself told of every turn",
    seen: "it is asked about first",
  },
  "extension-resolves-variables": {
    tries: "an extension that nobody asked about resolves the variables of another one",
    seen: "it is asked about first",
  },
  "extension-replaces-service": {
    tries: "an extension that nobody asked about provides system-prompt@1 where the host's own is disabled",
    seen: "it is asked about first",
  },
  "extension-inner-service": {
    tries:
      "an extension depends on a service by which generations of a core extension meet, such as conversation-hand-over@1",
    seen: "CAPABILITY_DENIED, whatever is granted",
  },
  "extension-storage-driver": {
    tries: "an extension that may store something takes the storage driver, which holds the data of all",
    seen: "SERVICE_UNDECLARED: storage is granted, the driver is not",
  },
  "extension-new-powers": {
    tries: "a new version reads tools@1, under the grant of one that did not",
    seen: "GRANT_REQUIRED with what is new in words; what needs no question is taken",
  },
  "extension-kept-before-powers": {
    tries: "an extension that was added before services were powers goes on running every tool",
    seen: "it is listed as failed with GRANT_REQUIRED; one that only gives tools goes on",
  },
} as const satisfies Record<string, Attack>;
