/**
 * One call into Word at a time. Word answers overlapping writes with "wait until the previous call completes"
 * (office-js issue 1225), and two `getFileAsync` in a row fail on the web (issue 1191).
 */
export class Lock {
  private last: Promise<unknown> = Promise.resolve();

  /** Run `task` when all tasks before it have ended, well or badly. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.last.then(task, task);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}

/** Word did not answer in time. What it was asked for may still happen. */
export class TimedOut extends Error {
  constructor(milliseconds: number) {
    super(`Word did not answer within ${Math.round(milliseconds / 1000)} seconds.`);
  }
}

/** The promise's outcome, or `TimedOut`. The promise itself goes on: nothing can be called back from Word. */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TimedOut(milliseconds));
    }, milliseconds);
  });
  return Promise.race([promise, late]).finally(() => {
    clearTimeout(timer);
  });
}
