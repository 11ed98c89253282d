import { KernelError, type Environment } from "@incipit/kernel";

export function createEnvironment(
  extension: string,
  grant: true | readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): Environment {
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
      // Own ones alone: every object has a "constructor", which is no variable.
      return Object.hasOwn(variables, name) ? variables[name] : undefined;
    },
  };
}
