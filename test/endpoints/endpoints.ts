import { familyNames, type FamilyName, type WireName } from "@incipit/testkit";

export interface Endpoint {
  readonly name: string;
  readonly family: FamilyName;
  readonly wire: WireName;
  readonly model: string;
  readonly settings: string;
  readonly windowBytes: number;
}

const wide = 400_000;
const narrow = 70_000;
const ofOwnWire: Readonly<Record<string, Pick<Endpoint, "wire" | "settings">>> = {
  openai: { wire: "openai-chat", settings: 'kind = "openai"\napi = "chat"' },
  "openai-responses": { wire: "openai-responses", settings: 'kind = "openai"\napi = "responses"' },
  anthropic: { wire: "anthropic", settings: 'kind = "anthropic"' },
  gemini: { wire: "gemini", settings: 'kind = "google"' },
  deepseek: { wire: "deepseek", settings: 'kind = "deepseek"' },
};

export const endpoints: readonly Endpoint[] = familyNames.map((family, index) => ({
  name: family.replace(".", "-"),
  family,
  model: `${family}-unknown`,
  windowBytes: index % 3 === 0 ? narrow : wide,
  ...(ofOwnWire[family] ?? { wire: "openai-chat", settings: `kind = "openai-compatible"\nfamily = "${family}"` }),
}));
