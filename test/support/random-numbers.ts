/** Numbers in [0, 1), deterministic per seed: https://en.wikipedia.org/wiki/Linear_congruential_generator */
export function randomNumbers(start: number): () => number {
  let state = start >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
