/** Lets a bounded number of tasks run at a time, first come first served. */
export class Lane {
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(private readonly width: number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running >= this.width) {
      // The one that ends hands its place over, so `running` stays as it is.
      await new Promise<void>(resolve => this.waiting.push(resolve));
    } else {
      this.running += 1;
    }
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) {
        next();
      } else {
        this.running -= 1;
      }
    }
  }
}
