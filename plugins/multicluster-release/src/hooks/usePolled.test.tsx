import { act, renderHook } from '@testing-library/react';
import { usePolled } from './usePolled';

/** Answers of a server, which come when the test says so. */
function createServer() {
  const waiting: { resolve: (value: string) => void; reject: (error: Error) => void }[] = [];
  return {
    load: () =>
      new Promise<string>((resolve, reject) => {
        waiting.push({ resolve, reject });
      }),
    asked: () => waiting.length,
    answer: (position: number, value: string) => act(async () => waiting[position].resolve(value)),
    fail: (position: number) => act(async () => waiting[position].reject(new Error('down'))),
  };
}

type Props = { subject?: string; hint?: unknown };

function setUp(first: Props = { subject: 'a' }) {
  const server = createServer();
  const { result, rerender } = renderHook(
    ({ subject, hint }: Props) =>
      usePolled({ subject, hint, load: server.load, interval: () => 15_000 }),
    { initialProps: first },
  );
  const settle = () => act(async () => {});
  const pass = (milliseconds: number) => act(async () => jest.advanceTimersByTime(milliseconds));
  return { server, result, rerender, settle, pass };
}

function setHidden(hidden: boolean) {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
}

describe('usePolled', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    setHidden(false);
  });
  afterEach(() => jest.useRealTimers());

  it('asks at once and again after the interval, and keeps the answer meanwhile', async () => {
    const { server, result, settle, pass } = setUp();
    await settle();
    expect(result.current.loading).toBe(true);
    await server.answer(0, 'first');
    await pass(15_000);
    expect(server.asked()).toBe(2);
    expect(result.current).toMatchObject({ value: 'first', loading: false });
    await server.answer(1, 'second');
    expect(result.current.value).toBe('second');
  });

  it('keeps the last answer beside an error, and goes on asking', async () => {
    const { server, result, settle, pass } = setUp();
    await settle();
    await server.answer(0, 'first');
    await pass(15_000);
    await server.fail(1);
    expect(result.current).toMatchObject({ value: 'first', error: new Error('down') });
    await pass(15_000);
    await server.answer(2, 'again');
    expect(result.current.error).toBeUndefined();
    expect(result.current.value).toBe('again');
  });

  it('asks on a hint, at most once a second', async () => {
    const { server, rerender, settle, pass } = setUp();
    await settle();
    await server.answer(0, 'first');
    rerender({ subject: 'a', hint: 1 });
    rerender({ subject: 'a', hint: 2 });
    rerender({ subject: 'a', hint: 3 });
    await pass(500);
    expect(server.asked()).toBe(1);
    await pass(500);
    expect(server.asked()).toBe(2);
  });

  it('does not ask while the page is hidden, and at once when it is looked at', async () => {
    const { server, settle, pass } = setUp();
    await settle();
    await server.answer(0, 'first');
    setHidden(true);
    await pass(60_000);
    expect(server.asked()).toBe(1);
    setHidden(false);
    await act(async () => document.dispatchEvent(new Event('visibilitychange')));
    expect(server.asked()).toBe(2);
  });

  it('never shows the answer of another subject', async () => {
    const { server, result, rerender, settle } = setUp();
    await settle();
    rerender({ subject: 'b' });
    await settle();
    expect(server.asked()).toBe(2);
    await server.answer(0, 'of a');
    expect(result.current.value).toBeUndefined();
    await server.answer(1, 'of b');
    expect(result.current.value).toBe('of b');
  });

  it('a refresh during a request asks again afterwards, once for all who wait', async () => {
    const { server, result, settle } = setUp();
    await settle();
    act(() => {
      result.current.refresh();
      result.current.refresh();
    });
    expect(server.asked()).toBe(1);
    await server.answer(0, 'before');
    expect(server.asked()).toBe(2);
  });

  it('asks nothing without a subject', async () => {
    const { server, result, settle, pass } = setUp({});
    await settle();
    await pass(60_000);
    expect(server.asked()).toBe(0);
    expect(result.current.loading).toBe(false);
  });
});
