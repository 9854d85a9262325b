interface Timer {
  at: number;
  order: number;
  run: () => void;
  cancelled: boolean;
}

/** Timers by time, and by age where the times are equal: a binary heap. */
export class TimerQueue {
  private readonly heap: Timer[] = [];
  private order = 0;

  /** Answers what cancels it. */
  add(at: number, run: () => void): () => void {
    const timer = { at, order: this.order++, run, cancelled: false };
    this.heap.push(timer);
    this.rise(this.heap.length - 1);
    return () => {
      timer.cancelled = true;
    };
  }

  /** The first timer that is due by then, taken out. */
  takeBefore(until: number): { at: number; run: () => void } | undefined {
    while (this.heap.length > 0 && this.heap[0].at <= until) {
      const first = this.takeFirst();
      if (!first.cancelled) {
        return first;
      }
    }
    return undefined;
  }

  private takeFirst(): Timer {
    const [first] = this.heap;
    const last = this.heap.pop() as Timer;
    if (this.heap.length > 0) {
      this.heap[0] = last;
      this.sink(0);
    }
    return first;
  }

  private rise(index: number): void {
    const parent = (index - 1) >> 1;
    if (index > 0 && this.isEarlier(index, parent)) {
      this.swap(index, parent);
      this.rise(parent);
    }
  }

  private sink(index: number): void {
    const [left, right] = [2 * index + 1, 2 * index + 2];
    let first = index;
    for (const child of [left, right]) {
      if (child < this.heap.length && this.isEarlier(child, first)) {
        first = child;
      }
    }
    if (first !== index) {
      this.swap(index, first);
      this.sink(first);
    }
  }

  private isEarlier(index: number, other: number): boolean {
    const [a, b] = [this.heap[index], this.heap[other]];
    return a.at < b.at || (a.at === b.at && a.order < b.order);
  }

  private swap(index: number, other: number): void {
    [this.heap[index], this.heap[other]] = [this.heap[other], this.heap[index]];
  }
}
