import { describe, expect, test, vi } from "vitest";
import { Lock, TimedOut, within } from "../../src/word/lock";

describe("the lock", () => {
  test("tasks run one after the other, also after one that failed", async () => {
    const lock = new Lock();
    const story: string[] = [];
    const task = (name: string, fails = false) =>
      lock.run(async () => {
        story.push(`${name} begins`);
        await Promise.resolve();
        story.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const first = task("first", true);
    const second = task("second");
    await expect(first).rejects.toThrow("first");
    await expect(second).resolves.toBe("second");
    expect(story).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });
});

describe("patience", () => {
  test("an answer in time is the answer", async () => {
    await expect(within(1000, Promise.resolve("yes"))).resolves.toBe("yes");
  });

  test("no answer in time is an error that says how long was waited", async () => {
    vi.useFakeTimers();
    const late = within(30_000, new Promise(() => undefined));
    const caught = expect(late).rejects.toThrow(new TimedOut(30_000));
    await vi.advanceTimersByTimeAsync(30_000);
    await caught;
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});
