export function manifestDifferences(inPackage: unknown, inCode: unknown, key = ""): readonly string[] {
  const packageEntries = entriesOf(inPackage);
  const codeEntries = entriesOf(inCode);
  if (packageEntries === undefined || codeEntries === undefined) {
    if (Object.is(inPackage, inCode)) return [];
    return [`${key} is ${shown(inPackage)} in package.json and ${shown(inCode)} in the code`];
  }
  const keys = new Set([...packageEntries.keys(), ...codeEntries.keys()]);
  return [...keys].flatMap((name) =>
    manifestDifferences(packageEntries.get(name), codeEntries.get(name), key === "" ? name : `${key}.${name}`),
  );
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined;
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
