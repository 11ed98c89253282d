/** Returns whether a value is neither `null` nor `undefined`. */
export function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== null && value !== undefined;
}
