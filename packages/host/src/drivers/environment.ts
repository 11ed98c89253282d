import { KernelError, type Environment } from "@incipit/kernel";

/** `onGiven` is called immediately for variables granted by name, on read under a full grant. */
export function createEnvironment(
  extension: string,
  grant: true | readonly string[],
  {
    variables,
    onGiven,
  }: {
    readonly variables: Readonly<Record<string, string | undefined>>;
    readonly onGiven: (name: string, value: string | undefined) => void;
  },
): Environment {
  // Own properties only: every object has a "constructor".
  const valueOf = (name: string): string | undefined =>
    Object.hasOwn(variables, name) ? variables[name] : undefined;
  for (const name of grant === true ? [] : grant) onGiven(name, valueOf(name));
  return {
    get(name) {
      if (grant !== true && !grant.includes(name)) {
        const granted = grant.map((entry) => `"${entry}"`).join(", ") || "none";
        throw new KernelError(
          "CAPABILITY_DENIED",
          `Cannot read variable "${name}" for "${extension}": granted are ${granted}`,
          { extension },
        );
      }
      const value = valueOf(name);
      onGiven(name, value);
      return value;
    },
  };
}
