export class RandomChoices {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed + 1, 2_654_435_761) >>> 0; // Otherwise consecutive seeds have similar sequences.
  }

  /** 0 up to 1: https://en.wikipedia.org/wiki/Linear_congruential_generator */
  number(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.number() * limit);
  }

  chance(share: number): boolean {
    return this.number() < share;
  }

  /** Only the first may be null or undefined. */
  one<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0];
  }

  shuffled<Value>(values: readonly Value[]): readonly Value[] {
    return values
      .map((value) => ({ value, place: this.number() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ value }) => value);
  }
}
