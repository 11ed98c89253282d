export function frozenCopy<Value>(value: Value): Value {
  return frozenDeep(structuredClone(value));
}

function frozenDeep<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) Object.values(value).forEach(frozenDeep);
  return Object.freeze(value);
}
