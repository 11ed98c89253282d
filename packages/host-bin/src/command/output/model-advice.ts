import { knownVendors, type KnownVendor } from "../../config/known-vendors.ts";

/** How a failure names the provider that it is about. */
const named = /^Cannot (?:call|reach|use model) "([^"/]+)/;

/** What to do about a model of a known vendor that could not be asked; `undefined`: nothing beside what the failure says. */
export function modelAdvice({
  code,
  message,
}: {
  readonly code: string | undefined;
  readonly message: string;
}): string | undefined {
  const name = named.exec(message)?.[1];
  const vendor = knownVendors.find((known) => known.name === name);
  if (vendor === undefined) return undefined;
  if (code === "NOT_CONFIGURED") return keyAdvice(vendor, message);
  if (code === "UNREACHABLE" && vendor.start !== undefined)
    return `Is ${vendor.title.split(",")[0]} running? This starts it: ${vendor.start} (${vendor.page})`;
  if (code !== "MODEL_UNKNOWN") return undefined;
  return `This host was started without ${vendor.title}: name a model of it with -m. If a host runs already, end it before, or start it anew with: incipit serve --model ${vendor.name}/MODEL`;
}

function keyAdvice({ title, keyVariables, page }: KnownVendor, message: string): string | undefined {
  const variable = keyVariables.find((one) => message.includes(`set ${one} to the key`));
  if (variable === undefined) return undefined;
  return `Get a key of ${title}'s at ${page}, then: export ${variable}=… and the same command again. A host that runs has to be started again with it`;
}
