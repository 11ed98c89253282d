import { chatFamilyNames, type ChatFamilyName } from "@incipit/schema";

/** Families that are the protocol of one vendor. */
const wireFamilyNames = ["anthropic", "gemini", "openai-responses"] as const;

export type FamilyName = ChatFamilyName | (typeof wireFamilyNames)[number];

export const familyNames: readonly FamilyName[] = [...chatFamilyNames, ...wireFamilyNames];
