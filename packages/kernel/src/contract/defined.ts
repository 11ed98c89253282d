/** Leaves out members that are `undefined`: optional members of contracts are absent instead. */
export function defined<Result extends object>(members: {
  readonly [Key in keyof Result]-?: Result[Key] | undefined;
}): Result {
  // oxlint-disable-next-line typescript/consistent-type-assertions -- only optional members can be `undefined`
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Result;
}
