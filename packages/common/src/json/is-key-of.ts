/** Returns whether a string is an own key of a table; inherited ones such as `toString` are not. */
export function isKeyOf<Table extends object>(table: Table, key: PropertyKey): key is keyof Table {
  return Object.hasOwn(table, key);
}
