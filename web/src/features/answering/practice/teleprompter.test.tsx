import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Teleprompter } from './teleprompter.tsx';

const answer = 'A closure remembers its scope.';

/** Fakes the media query for reduced motion. */
function prefersMotion(motion: boolean) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      Object.assign(new EventTarget(), { matches: query.includes('reduce') !== motion, media: query }) as never,
  );
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0.99);
});
afterEach(() => {
  localStorage.clear();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function open(typing: boolean) {
  const tree = (shown: boolean) => (
    <MantineProvider env="test">
      <Teleprompter answer={answer} typing={shown} userId="one" />
    </MantineProvider>
  );
  const view = render(tree(typing));
  return {
    ...view,
    type: (shown: boolean) => view.rerender(tree(shown)),
    seen: () => view.container.querySelector('[aria-hidden]')?.textContent,
  };
}
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));

test('types nothing before the recording, starts after 0.8 s and types to the end', () => {
  prefersMotion(true);
  const { type, seen, container } = open(false);
  expect(screen.getByText('The suggested answer types itself here while you record.')).toBeVisible();
  expect(container).not.toHaveTextContent('closure');
  type(true);
  pass(800);
  expect(seen()).toBe('');
  pass(50);
  expect(seen()).toBe('A');
  pass(250);
  expect(seen()?.trimEnd()).toBe('A');
  pass(50 * 3);
  expect(seen()).toBe('A clo');
  pass(60_000);
  expect(seen()).toBe(answer);
  expect(vi.getTimerCount()).toBe(0);
});

test('a screen reader gets the whole answer at once, not each character', () => {
  prefersMotion(true);
  open(true);
  pass(0);
  expect(screen.getByRole('region', { name: 'Suggested answer' })).toHaveTextContent(answer);
  expect(screen.queryByRole('status')).toBeNull();
});

test('it stops when the recording ends, and starts again with the next one', () => {
  prefersMotion(true);
  const { type, seen } = open(true);
  pass(1500);
  const stood = seen();
  type(false);
  pass(10_000);
  expect(stood).not.toBe('');
  expect(seen()).toBe(stood);
  type(true);
  expect(seen()).toBe('');
});

test('leaving cancels the typing', () => {
  prefersMotion(true);
  const { unmount } = open(true);
  pass(1500);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});

test('the text appears at once with reduced motion', () => {
  prefersMotion(false);
  const { seen } = open(true);
  pass(0);
  expect(seen()).toBe(answer);
});

test('it makes typing errors only if the user turned them on, and remembers the choice', () => {
  prefersMotion(true);
  vi.mocked(Math.random).mockReturnValue(0);
  const first = open(true);
  pass(60_000);
  expect(first.seen()).toBe(answer);
  first.type(false);
  fireEvent.click(screen.getByRole('switch', { name: 'Type with typing errors' }));
  first.unmount();
  const second = open(true);
  pass(800 + 50 * 4 + 1000);
  expect(answer.startsWith(second.seen() ?? '')).toBe(false);
  pass(60_000);
  expect(second.seen()).toBe(answer);
});

test('a question without an answer says so', () => {
  prefersMotion(true);
  render(
    <MantineProvider env="test">
      <Teleprompter answer=" " typing={false} userId="one" />
    </MantineProvider>,
  );
  expect(screen.getByText('This question has no written answer.')).toBeVisible();
});
