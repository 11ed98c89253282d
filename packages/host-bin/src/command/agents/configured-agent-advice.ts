export function configuredAgentAdvice(name: string): string {
  return `"${name}" is in the configuration, as [profiles.${name}]: change it there ("incipit config profiles" says in which file)`;
}
