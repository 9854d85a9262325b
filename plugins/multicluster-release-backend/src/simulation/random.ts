/** A seeded source of randomness (mulberry32): equal seeds give equal worlds. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A source of its own for each name, so that what is drawn in one place moves nothing in another. */
  static named(seed: number, name: string): Random {
    let mixed = seed ^ 0x9e3779b9;
    for (let index = 0; index < name.length; index++) {
      mixed = Math.imul(mixed ^ name.charCodeAt(index), 0x01000193);
    }
    return new Random(mixed);
  }

  /** In [0, 1). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)];
  }
}
