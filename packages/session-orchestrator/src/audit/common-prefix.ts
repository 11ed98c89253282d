/** In UTF-16 units; consecutive requests usually differ only in the closing brackets. */
const closingLength = 8;

/** In UTF-16 units. Bisects, because comparing slices is much faster than comparing characters. */
export function commonPrefix(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  const nearEnd = Math.max(0, end - closingLength);
  const isNearEnd = a.slice(0, nearEnd) === b.slice(0, nearEnd);
  let low = isNearEnd ? nearEnd : 0;
  let high = isNearEnd ? end : nearEnd;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (a.slice(low, middle) === b.slice(low, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
